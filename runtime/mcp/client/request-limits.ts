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
  readonly #timeoutMs: number;
  readonly #totalMs: number;
  /** Up to the next sign of life, or what is left of all time where that is less. */
  readonly #timer: PausableTimer;
  /** What is left of all time at the start of the timer. */
  #leftMs: number;
  readonly #cancel = (): void => this.#end("cancelled");
  #stopped: string | undefined;
  #stop: ((reason: string) => void) | undefined;
  #cancellation: AbortController | undefined;

  constructor({ timeoutMs, maxTotalMs, signal, onProgress }: RequestTimes) {
    this.#caller = signal;
    if (signal?.aborted === true) this.#cancel();
    signal?.addEventListener("abort", this.#cancel, { once: true });
    this.#timeoutMs = timeoutMs;
    this.#totalMs = onProgress === undefined ? Infinity : Math.max(maxTotalMs ?? Infinity, timeoutMs);
    this.#leftMs = this.#totalMs;
    this.#timer = startPausableTimer(timeoutMs, () => {
      this.expiredMs = this.#leftMs < timeoutMs ? this.#totalMs : timeoutMs;
      this.#end("timed out");
    });
    if (onProgress === undefined) return;
    this.onProgress = (report) => {
      this.restart();
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
    this.#leftMs -= this.#timer.spentMs();
    this.#timer.restart(Math.min(this.#timeoutMs, this.#leftMs));
  }

  /** Stops the time until the returned function is called. */
  hold(): () => void {
    return this.#timer.hold();
  }

  release(): void {
    this.#timer.stop();
    this.#caller?.removeEventListener("abort", this.#cancel);
  }

  #end(reason: string): void {
    this.#stopped ??= reason;
    this.#cancellation?.abort(this.#stopped);
    this.#stop?.(this.#stopped);
  }
}
