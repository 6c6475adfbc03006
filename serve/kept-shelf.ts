import { AsyncResource } from "node:async_hooks";

/** How long answers and results are kept that no request has read yet. */
export const KEPT_MINUTES = 10;

/** How many values a shelf keeps, how many bytes of them, and for how long. The oldest goes first; the newest stays, however long it is. */
interface ShelfBounds {
  most: number;
  mostBytes: number;
  keptMs: number;
}

/** @param drop called with each value that is not kept any longer */
export function makeKeptShelf<Value>(bounds: ShelfBounds, drop: (id: string) => void = () => undefined) {
  const kept = new Map<string, { value: Value; bytes: number; timeout: NodeJS.Timeout }>();
  let total = 0;
  // A timer of minutes must not hold the store of the request that it is set in.
  const outside = new AsyncResource("codemode.shelf");
  const forget = (id: string): void => {
    const entry = kept.get(id);
    if (entry === undefined) return;
    clearTimeout(entry.timeout);
    kept.delete(id);
    total -= entry.bytes;
  };
  const remove = (id: string): void => {
    forget(id);
    drop(id);
  };
  return {
    find: (id: string): Value | undefined => kept.get(id)?.value,
    keep(id: string, value: Value, bytes: number): void {
      total += bytes;
      kept.set(id, {
        value,
        bytes,
        timeout: outside.runInAsyncScope(() => setTimeout(() => remove(id), bounds.keptMs).unref()),
      });
      for (const oldest of kept.keys()) {
        if ((kept.size <= bounds.most && total <= bounds.mostBytes) || oldest === id) break;
        remove(oldest);
      }
    },
    /** Without a call of `drop`. */
    forget,
  };
}
