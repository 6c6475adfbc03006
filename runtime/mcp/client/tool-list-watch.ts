import { setTimeout as delay } from "node:timers/promises";
import { ConnectionError } from "./connection-error.ts";

/** A stream of notifications that is open; `closed` settles when it is no more. */
export interface OpenStream {
  closed: Promise<"local" | "graceful" | "remote">;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 60_000;

/** A stream that lived this long was not refused: the next one is opened without a long wait. */
const PROVEN_AFTER_MS = 5_000;

/** What will not get better by asking again. */
const FINAL_KINDS: ReadonlySet<string> = new Set(["cancelled", "closed", "forbidden", "rpc-error", "unauthorized"]);

/**
 * Keeps a stream of notifications open until the signal ends it. What happened while there was none is not known,
 * so `onGap` is called whenever it is open again.
 */
export async function watchToolList(
  openStream: (signal: AbortSignal) => Promise<OpenStream>,
  onGap: () => void,
  signal: AbortSignal,
): Promise<void> {
  let wait = FIRST_DELAY_MS;
  for (let opened = 0; !signal.aborted;) {
    try {
      const stream = await openStream(signal);
      const since = performance.now();
      if ((opened += 1) > 1) onGap();
      if ((await stream.closed) === "local") return;
      if (performance.now() - since > PROVEN_AFTER_MS) wait = FIRST_DELAY_MS;
    } catch (error) {
      if (!(error instanceof ConnectionError) || FINAL_KINDS.has(error.kind)) return;
    }
    await delay(wait, undefined, { signal, ref: false }).catch(() => undefined);
    wait = Math.min(wait * 2, LONGEST_DELAY_MS);
  }
}
