import { KEPT_MINUTES, makeBoundedCache } from "../bounded-cache.ts";
import type { ToolCallResult } from "../surface.ts";

/** Of the runs of one client that no request has read yet, and of the others. */
const MOST_ANSWERS = 16;
const MOST_ANSWER_BYTES = 16 * 1024 * 1024;

/** @param drop called with each run whose answer is not kept any longer */
export function makeAnswerCache(drop: (id: string) => void, keptMs: number = KEPT_MINUTES * 60_000) {
  const bounds = { most: MOST_ANSWERS, mostBytes: MOST_ANSWER_BYTES, keptMs };
  const unread = makeBoundedCache<number>(bounds, drop);
  const read = makeBoundedCache<null>(bounds, drop);
  return {
    /** The run has ended, with this answer; without one it has failed. */
    keep(id: string, answer?: ToolCallResult): void {
      const bytes = answer === undefined ? 0 : JSON.stringify(answer).length;
      unread.keep(id, bytes, bytes);
    },
    /** A request has read the answer, which may be lost on its way: it is kept on, and takes no place of one that no request has read. */
    read(id: string): void {
      const bytes = unread.find(id);
      if (bytes === undefined) return;
      unread.forget(id);
      read.keep(id, null, bytes);
    },
  };
}
