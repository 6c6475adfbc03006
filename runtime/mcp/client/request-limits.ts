import { type PausableTimer, startPausableTimer } from "./pausable-timer.ts";
import type { CallProgress } from "./server-connection.ts";

export interface RequestTimes {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Each report starts `timeoutMs` again. */
  onProgress?: ((progress: CallProgress) => void) | undefined;
  /** What all reports together can prolong a request to. */
  maxTotalMs?: number | undefined;
}

/** The limits of one request, which may take several messages. They begin when this is made. */
export class RequestLimits {
  /** Restarts the time between two signs of life; absent where progress is not reported. */
  readonly onProgress: ((report: CallProgress) => void) | undefined;
  /** The limit that has ended the request, in milliseconds. */
  expiredMs: number | undefined;
  readonly #caller: AbortSignal | undefined;
  readonly #silence: PausableTimer;
  readonly #total: PausableTimer | undefined;
  readonly #cancel = (): void => this.#end("cancelled");
  #stopped: string | undefined;
  #stop: ((reason: string) => void) | undefined;
  #cancellation: AbortController | undefined;

  constructor({ timeoutMs, maxTotalMs, signal, onProgress }: RequestTimes) {
    this.#caller = signal;
    if (signal?.aborted === true) this.#cancel();
    signal?.addEventListener("abort", this.#cancel, { once: true });
    this.#silence = this.#startLimit(timeoutMs);
    if (onProgress === undefined) return;
    if (maxTotalMs !== undefined) this.#total = this.#startLimit(Math.max(maxTotalMs, timeoutMs));
    this.onProgress = (report) => {
      this.#silence.restart();
      onProgress(report);
    };
  }

  /** Made where it is asked for: a signal costs more than all else here. */
  get signal(): AbortSignal {
    if (this.#cancellation === undefined) {
      this.#cancellation = new AbortController();
      if (this.#stopped !== undefined) this.#cancellation.abort(this.#stopped);
    }
    return this.#cancellation.signal;
  }

  /** What is done, with the reason for the server, where the request is cancelled or takes too long. It takes the place of an earlier one. */
  onStop(stop: (reason: string) => void): void {
    this.#stop = stop;
    if (this.#stopped !== undefined) stop(this.#stopped);
  }

  /** Starts the time between two signs of life again. */
  restart(): void {
    this.#silence.restart();
  }

  /** Stops the time until the returned function is called. */
  hold(): () => void {
    const releases = [this.#silence.hold(), this.#total?.hold()];
    return () => releases.forEach((release) => release?.());
  }

  release(): void {
    this.#silence.stop();
    this.#total?.stop();
    this.#caller?.removeEventListener("abort", this.#cancel);
  }

  #startLimit(milliseconds: number): PausableTimer {
    return startPausableTimer(milliseconds, () => {
      this.expiredMs = milliseconds;
      this.#end("timed out");
    });
  }

  #end(reason: string): void {
    this.#stopped ??= reason;
    this.#cancellation?.abort(this.#stopped);
    this.#stop?.(this.#stopped);
  }
}
