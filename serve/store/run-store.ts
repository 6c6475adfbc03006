import { clock } from "../../engine/clock.ts";

/**
 * What replicas share, by name. Each value is there until its time is over. Every function rejects with a `CodemodeError`
 * `STORE_UNREACHABLE` where the store does not answer; none names its credentials.
 */
export interface RunStore {
  /** Writes a value unless there is one of that name: of several callers one gets true. */
  add(name: string, value: Buffer, ttlMs: number): Promise<boolean>;
  put(name: string, value: Buffer, ttlMs: number): Promise<void>;
  get(name: string): Promise<Buffer | undefined>;
  /** Takes one of so many per minute, which may all be used at once: 0 where there was one left, else the milliseconds until there is. */
  limit(name: string, perMinute: number): Promise<number>;
  /** The store's clock, in milliseconds since 1970: those of replicas differ. */
  now(): Promise<number>;
  close(): Promise<void>;
}

/** The window of a limit. */
export const MINUTE_MS = 60_000;

/** A store of one process. */
export function makeMemoryStore(now: () => number = () => clock.wall()): RunStore {
  const values = new Map<string, { value: Buffer; until: number }>();
  const limits = new Map<string, number>();
  const find = (name: string): Buffer | undefined => {
    const found = values.get(name);
    if (found === undefined || found.until > now()) return found?.value;
    values.delete(name);
    return undefined;
  };
  const put = (name: string, value: Buffer, ttlMs: number): void => {
    for (const [old, { until }] of values) {
      if (until > now()) break;
      values.delete(old);
    }
    values.delete(name);
    values.set(name, { value, until: now() + ttlMs });
  };
  return {
    async add(name, value, ttlMs) {
      if (find(name) !== undefined) return false;
      put(name, value, ttlMs);
      return true;
    },
    put: async (name, value, ttlMs) => put(name, value, ttlMs),
    get: async (name) => find(name),
    async limit(name, perMinute) {
      const next = Math.max(limits.get(name) ?? 0, now()) + MINUTE_MS / perMinute;
      const excess = next - now() - MINUTE_MS;
      if (excess <= 0) limits.set(name, next);
      return Math.max(0, Math.ceil(excess));
    },
    now: async () => now(),
    close: async () => undefined,
  };
}
