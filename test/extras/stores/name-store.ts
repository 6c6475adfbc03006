import { clock } from "../../../engine/clock.ts";
import { MINUTE_MS, type NameStore } from "../../../serve/store/shared-state.ts";

/** A store in the memory of a test. */
export function makeMemoryStore(now: () => number = () => clock.wall()): NameStore {
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
