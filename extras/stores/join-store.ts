import { delay } from "../../engine/clock.ts";
import { makeRateLimiter, type RateLimiter } from "../../serve/admission/rate-limit.ts";
import { makeResultCache, type ResultCache } from "../../serve/answers/result-cache.ts";
import { KEPT_MINUTES } from "../../serve/bounded-cache.ts";
import { OpenWork } from "../../serve/http/open-work.ts";
import type { RateLimit } from "../../schemas/config/config-file.ts";
import type { OpenedStore } from "./postgres-store.ts";
import { type StoreHealth, watchHealth } from "./store-health.ts";
import { createHash } from "node:crypto";
import type { NameStore, SharedState, StoreReports } from "../../serve/store/shared-state.ts";

/** What the parts of this process share. */
interface Joined extends OpenedStore, Pick<StoreHealth, "isReachable"> {
  /** What is being written. */
  writes: OpenWork;
  /** Receives failures that no request is answered with. */
  onFailure(error: unknown): void;
}

/** For what is being written when the process ends. */
const FLUSH_MS = 3000;

/** For a limit: then the count of this process stands in. */
const LIMIT_MS = 500;

/** Joins the replicas of a store, and closes it where it cannot be used: then it rejects with a `CodemodeError`. */
export async function joinStore(opened: OpenedStore, { warn, onFailure }: StoreReports): Promise<SharedState & Joined> {
  const { store } = opened;
  const health = await watchHealth(store, (skewMs) => warn(describeSkew(skewMs))).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const { isReachable, skewMs } = health;
  const joined: Joined = { ...opened, isReachable, writes: new OpenWork(), onFailure };
  return {
    ...{ ...joined, skewMs },
    cacheOf: (client) => makeSharedCache(joined, client),
    limiter: (limit) => makeSharedLimiter(joined, limit),
    async close() {
      if (isReachable()) await joined.writes.settled(FLUSH_MS);
      health.end();
      await store.close();
    },
  };
}

function describeSkew(skewMs: number): string {
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  return `The clock of this machine is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} the store's: keep both by NTP.`;
}

interface Limiting extends Pick<Joined, "onFailure" | "isReachable"> {
  store: Pick<NameStore, "limit">;
}

/** Counts the runs of each client on all replicas; where the store does not answer, those of this process. */
export function makeSharedLimiter(
  { store, isReachable, onFailure }: Limiting,
  limit: RateLimit | undefined,
): RateLimiter {
  const own = makeRateLimiter(limit);
  if (limit === undefined) return own;
  return {
    async take(client) {
      if (!isReachable()) return own.take(client);
      try {
        const taken = store.limit(`rate/${encodeURIComponent(client)}`, limit.runsPerMinute);
        taken.catch(() => undefined); // where it comes too late
        const waitMs = await Promise.race([taken, delay(LIMIT_MS, { ref: false })]);
        return waitMs === undefined ? await own.take(client) : Math.ceil(waitMs / 1000);
      } catch (error) {
        onFailure(error);
        return own.take(client);
      }
    },
  };
}

const KEPT_MS = KEPT_MINUTES * 60_000;
/** As for the answers in a store: a longer result is in the memory of its replica alone. */
const MOST_BYTES = 4 * 1024 * 1024;
const NAMED = /@codemode\/results\/([\w-]{22})/g;
const MOST_NAMED = 16;

/** Keeps results of one client in the store too, so that a script finds them on any replica. */
export function makeSharedCache(
  { store, sealer, writes, onFailure }: Omit<Joined, "isReachable">,
  client: string,
): ResultCache {
  const cache = makeResultCache();
  const place = (session: string, id: string): string =>
    `result/${encodeURIComponent(client)}/${digestSession(session)}/${id}`;
  const open = new Set<Promise<void>>();
  return {
    ...cache,
    mostShared: MOST_BYTES,
    keep(session, json, type) {
      const id = cache.keep(session, json, type);
      if (json.length > MOST_BYTES) return id;
      const name = place(session, id);
      const value = sealer.seal(name, Buffer.concat([Buffer.from(`${JSON.stringify(type)}\n`), json]));
      const writing = writes.track(store.put(name, value, KEPT_MS).catch(onFailure));
      open.add(writing);
      void writing.finally(() => open.delete(writing));
      return id;
    },
    settled: async () => void (await Promise.all(open)),
    async fetch(session, code) {
      const ids = new Set([...code.matchAll(NAMED)].map(([, id = ""]) => id));
      const here = cache.of(session);
      for (const id of [...ids].slice(0, MOST_NAMED)) {
        if (here.typeOf(id) !== undefined) continue;
        const name = place(session, id);
        const value = await store.get(name).catch(onFailure);
        const text = value && sealer.open(name, value);
        const end = text?.indexOf("\n") ?? -1;
        if (text === undefined || end < 0) continue;
        cache.restore(id, session, text.subarray(end + 1), JSON.parse(text.toString("utf8", 0, end)) as string);
      }
    },
  };
}

/** A session's id carries what its client says of itself, so the store gets a digest. */
function digestSession(session: string): string {
  return createHash("sha256").update(session).digest("base64url");
}
