import { settlesWithin } from "@codemode/runtime/connections/settles-within";
import { withJoinedSignal } from "../engine/process/join-signals.ts";
import { engineClosed } from "./errors.ts";

/** Runs work that `close` waits for, with a signal that aborts when the engine is closed. */
export type Track = <Value>(work: (signal: AbortSignal) => Promise<Value>, signal?: AbortSignal) => Promise<Value>;

/** Keeps what runs of an engine, so that closing can wait for it. */
export function trackWork(signal: AbortSignal | undefined): { track: Track; endAll(graceMs: number): Promise<void> } {
  const running = new Set<Promise<unknown>>();
  const ending = new AbortController();
  return {
    async track<Value>(work: (signal: AbortSignal) => Promise<Value>, own?: AbortSignal): Promise<Value> {
      if (ending.signal.aborted) throw engineClosed();
      const done = withJoinedSignal([ending.signal, signal, own], work);
      running.add(done);
      return done.finally(() => running.delete(done));
    },
    /** Waits for the grace period, in milliseconds, and cancels what has not ended. */
    async endAll(graceMs: number): Promise<void> {
      if (graceMs > 0) await settlesWithin(Promise.allSettled(running), graceMs);
      ending.abort();
      await Promise.allSettled(running);
    },
  };
}
