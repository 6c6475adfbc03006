import { clock } from "../../engine/clock.ts";
import { writeTogether } from "../../engine/write-together.ts";
import type { Joined } from "./replica.ts";

/** After a write that has failed. */
const AGAIN_MS = 1000;

/**
 * Keeps something in the store as it is here. Changes that come while it is written are written together, after it.
 * @param isDue whether a write that has failed is tried again
 */
export function keepWritten(
  { writes, onFailure }: Pick<Joined, "writes" | "onFailure">,
  write: () => Promise<unknown>,
  isDue: () => boolean,
) {
  let last = Promise.resolve();
  const writeNow = writeTogether<void, void>(async () => {
    try {
      await write();
    } catch (error) {
      onFailure(error);
      if (isDue()) clock.after(AGAIN_MS, changed, { ref: false });
    }
  });
  const changed = (): void => void (last = writes.track(writeNow()));
  return {
    changed,
    /** Resolves when the last change that was reported is written, or has failed. */
    written: (): Promise<void> => last,
  };
}
