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
  /** For the SDK, whose own time-out cannot stand still. */
  options: RequestOptions;
  /** The limit that has ended the request, in milliseconds. */
  readonly expiredMs: number | undefined;
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
  // A signal of our own, because the SDK tells the server the reason of the one it is given.
  const cancellation = new AbortController();
  const cancel = (): void => cancellation.abort("cancelled");
  if (signal?.aborted === true) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  const startLimit = (milliseconds: number) =>
    startPausableTimer(milliseconds, () => {
      expiredMs = milliseconds;
      cancellation.abort("timed out");
    });
  const silence = startLimit(timeoutMs);
  const total =
    onProgress === undefined || maxTotalMs === undefined ? undefined : startLimit(Math.max(maxTotalMs, timeoutMs));
  const progress = onProgress && {
    onprogress: (report: Progress): void => {
      silence.restart();
      onProgress(report);
    },
  };
  return {
    options: { timeout: LONGEST_TIMER_MS, signal: cancellation.signal, ...progress },
    get expiredMs() {
      return expiredMs;
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
}
