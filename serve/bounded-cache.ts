import { AsyncResource } from "node:async_hooks";
import { clock } from "../engine/clock.ts";

/** How long answers and results are kept that no request has read yet. */
export const KEPT_MINUTES = 10;

/**
 * How many values of one owner a cache keeps, how many bytes of them, and for how long. The oldest goes first; the newest stays, however long it is.
 * No owner pushes out what another one has, unless that has the most.
 */
interface CacheBounds {
  most: number;
  mostBytes: number;
  /** Of all owners; as many as there are unless given. */
  mostBytesOfAll?: number | undefined;
  keptMs: number;
}

interface Kept<Value> {
  value: Value;
  bytes: number;
  owner: string;
  stop: () => void;
}

/** @param drop called with each value that is not kept any longer */
export function makeBoundedCache<Value>(bounds: CacheBounds, drop: (id: string) => void = () => undefined) {
  const kept = new Map<string, Kept<Value>>();
  const owners = new Map<string, { ids: Set<string>; bytes: number }>();
  let total = 0;
  // A timer of minutes must not hold the store of the request that it is set in.
  const outside = new AsyncResource("codemode.cache");
  const forget = (id: string): void => {
    const entry = kept.get(id);
    if (entry === undefined) return;
    entry.stop();
    kept.delete(id);
    total -= entry.bytes;
    const own = owners.get(entry.owner);
    own?.ids.delete(id);
    if (own !== undefined) own.bytes -= entry.bytes;
    if (own?.ids.size === 0) owners.delete(entry.owner);
  };
  const remove = (id: string): void => {
    forget(id);
    drop(id);
  };
  return {
    find: (id: string): Value | undefined => kept.get(id)?.value,
    keep(id: string, value: Value, bytes: number, owner = ""): void {
      const own = owners.get(owner) ?? { ids: new Set(), bytes: 0 };
      owners.set(owner, own);
      own.ids.add(id);
      own.bytes += bytes;
      total += bytes;
      const stop = outside.runInAsyncScope(() => clock.after(bounds.keptMs, () => remove(id), { ref: false }));
      kept.set(id, { value, bytes, owner, stop });
      for (const oldest of own.ids) {
        if ((own.ids.size <= bounds.most && own.bytes <= bounds.mostBytes) || oldest === id) break;
        remove(oldest);
      }
      while (total > (bounds.mostBytesOfAll ?? Infinity)) {
        const [largest] = [...owners.values()].toSorted((left, right) => right.bytes - left.bytes);
        const [oldest] = largest?.ids ?? [];
        if (oldest === undefined || oldest === id) break;
        remove(oldest);
      }
    },
    /** Without a call of `drop`. */
    forget,
  };
}
