import { randomBytes } from "node:crypto";
import type { EarlierResults } from "../../engine/open-host.ts";
import { KEPT_MINUTES, makeBoundedCache } from "../bounded-cache.ts";

/** Keeps results that were too long for their answers, for the scripts of one client. They are in the memory of this process, and with a store of others too. */
export interface ResultCache {
  /** How many bytes a result may have so that all replicas find it; absent where there is one process. */
  mostShared?: number | undefined;
  /**
   * Keeps a result, and gives the name by which a script imports it: it cannot be guessed.
   * @param type of the value, in TypeScript
   */
  keep(session: string, json: Buffer, type: string): string;
  /** Takes in one that was kept elsewhere. */
  restore(id: string, session: string, json: Buffer, type: string): void;
  /** Those of one session. */
  of(session: string): EarlierResults;
  /** Resolves when other replicas can find what is kept. */
  settled(): Promise<void>;
  /** Takes in the results of a session that a script names, where another replica has kept them. */
  fetch(session: string, code: string): Promise<void>;
}

/** Of one session, or one person. */
const MOST_RESULTS = 16;
export const MOST_BYTES = 64 * 1024 * 1024;
/** Of all of them. */
const MOST_BYTES_OF_ALL = 4 * MOST_BYTES;

export function makeResultCache(): ResultCache {
  const cache = makeBoundedCache<{ session: string; json: Buffer; type: string }>({
    most: MOST_RESULTS,
    mostBytes: MOST_BYTES,
    mostBytesOfAll: MOST_BYTES_OF_ALL,
    keptMs: KEPT_MINUTES * 60_000,
  });
  const restore: ResultCache["restore"] = (id, session, json, type) => {
    if (cache.find(id) === undefined) cache.keep(id, { session, json, type }, json.length, session);
  };
  return {
    keep(session, json, type) {
      const id = randomBytes(16).toString("base64url");
      restore(id, session, json, type);
      return id;
    },
    restore,
    settled: async () => undefined,
    fetch: async () => undefined,
    of(session) {
      const find = (id: string) => {
        const result = cache.find(id);
        return result?.session === session ? result : undefined;
      };
      return { read: (id) => find(id)?.json, typeOf: (id) => find(id)?.type };
    },
  };
}
