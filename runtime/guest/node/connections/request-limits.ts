import type { Progress, RequestOptions } from "@modelcontextprotocol/client";
import { startPausableTimer } from "./pausable-timer.ts";

export interface RequestTimes {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Each report starts `timeoutMs` again. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** What all reports together can prolong a request to. */
  maxTotalMs?: number | undefined;
}

/** The limits of one request, which may take several messages. */
export interface RequestLimits {
  /** Made where it is asked for: a signal costs more than all else here. */
  readonly signal: AbortSignal;
  /** For the SDK, whose own time-out cannot stand still. */
  readonly options: RequestOptions;
  /** Restarts the time between two signs of life; absent where progress is not reported. */
  readonly onProgress: ((report: Progress) => void) | undefined;
  /** The limit that has ended the request, in milliseconds. */
  readonly expiredMs: number | undefined;
  /** What is done, with the reason for the server, where the request is cancelled or takes too long. It takes the place of an earlier one. */
  onStop(stop: (reason: string) => void): void;
  /** Starts the time between two signs of life again. */
  restart(): void;
  /** Stops the time until the returned function is called. */
  hold(): () => void;
  release(): void;
}

/** Node's timers fire at once above it. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function startRequestLimits({ timeoutMs, maxTotalMs, signal, onProgress }: RequestTimes): RequestLimits {
  let expiredMs: number | undefined;
  let stopped: string | undefined;
  let stop: ((reason: string) => void) | undefined;
  /** A signal of our own, because the SDK tells the server the reason of the one it is given. */
  let cancellation: AbortController | undefined;
  const end = (reason: string): void => {
    stopped ??= reason;
    cancellation?.abort(stopped);
    stop?.(stopped);
  };
  const cancel = (): void => end("cancelled");
  if (signal?.aborted === true) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  const startLimit = (milliseconds: number) =>
    startPausableTimer(milliseconds, () => {
      expiredMs = milliseconds;
      end("timed out");
    });
  const silence = startLimit(timeoutMs);
  const total =
    onProgress === undefined || maxTotalMs === undefined ? undefined : startLimit(Math.max(maxTotalMs, timeoutMs));
  const hearProgress =
    onProgress &&
    ((report: Progress): void => {
      silence.restart();
      onProgress(report);
    });
  const limits: RequestLimits = {
    get signal() {
      if (cancellation === undefined) {
        cancellation = new AbortController();
        if (stopped !== undefined) cancellation.abort(stopped);
      }
      return cancellation.signal;
    },
    get options() {
      return {
        ...{ timeout: LONGEST_TIMER_MS, signal: limits.signal, allowInputRequired: true },
        ...(hearProgress && { onprogress: hearProgress }),
      };
    },
    onProgress: hearProgress,
    get expiredMs() {
      return expiredMs;
    },
    onStop(newStop) {
      stop = newStop;
      if (stopped !== undefined) stop(stopped);
    },
    restart: silence.restart,
    hold() {
      const releases = [silence.hold(), total?.hold()];
      return () => releases.forEach((release) => release?.());
    },
    release() {
      silence.stop();
      total?.stop();
      signal?.removeEventListener("abort", cancel);
    },
  };
  return limits;
}
