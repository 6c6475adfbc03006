import type { ToolCallResult } from "../surface.ts";

/** Bounds the answers that no request has read yet, of one client: in number, size and time. The oldest goes first. */
export interface AnswerShelf {
  /** The run has ended, with this answer; without one it has failed. */
  keep(id: string, answer?: ToolCallResult): void;
  /** The answer was read. */
  forget(id: string): void;
}

interface KeptAnswer {
  bytes: number;
  timeout: NodeJS.Timeout;
}

const MOST_ANSWERS = 16;
const MOST_BYTES = 16 * 1024 * 1024;
export const KEPT_MINUTES = 10;

/**
 * @param drop called with each run whose answer is not kept any longer
 * @param keptMs how long an answer is kept, in milliseconds
 */
export function makeAnswerShelf(drop: (id: string) => void, keptMs: number = KEPT_MINUTES * 60_000): AnswerShelf {
  const kept = new Map<string, KeptAnswer>();
  let bytes = 0;
  const forget = (id: string): void => {
    const answer = kept.get(id);
    if (answer === undefined) return;
    clearTimeout(answer.timeout);
    kept.delete(id);
    bytes -= answer.bytes;
  };
  const remove = (id: string): void => {
    forget(id);
    drop(id);
  };
  return {
    keep(id, answer) {
      const size = answer === undefined ? 0 : JSON.stringify(answer).length;
      bytes += size;
      kept.set(id, { bytes: size, timeout: setTimeout(() => remove(id), keptMs).unref() });
      for (const oldest of kept.keys()) {
        if ((kept.size <= MOST_ANSWERS && bytes <= MOST_BYTES) || oldest === id) break;
        remove(oldest);
      }
    },
    forget,
  };
}
