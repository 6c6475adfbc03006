import { randomBytes } from "node:crypto";
import type { EarlierResults } from "../../engine/open-host.ts";

/** Keeps results that were too long for their answers, for the scripts of one client. They are in the memory of this process, and with a store in that of others. */
export interface ResultShelf {
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

interface KeptResult {
  session: string;
  json: Buffer;
  type: string;
  /** Forgets it. */
  timeout: NodeJS.Timeout;
}

/** Of one client; the oldest goes first. */
const MOST_RESULTS = 16;
export const MOST_BYTES = 64 * 1024 * 1024;
export const KEPT_MINUTES = 10;

/** @param keptMs how long a result is kept, in milliseconds */
export function makeResultShelf(keptMs: number = KEPT_MINUTES * 60_000): ResultShelf {
  const kept = new Map<string, KeptResult>();
  let bytes = 0;
  const forget = (id: string): void => {
    const result = kept.get(id);
    if (result === undefined) return;
    clearTimeout(result.timeout);
    kept.delete(id);
    bytes -= result.json.length;
  };
  const restore = (id: string, session: string, json: Buffer, type: string): void => {
    if (kept.has(id)) return;
    bytes += json.length;
    for (const oldest of kept.keys()) {
      if (kept.size < MOST_RESULTS && bytes <= MOST_BYTES) break;
      forget(oldest);
    }
    const timeout = setTimeout(() => forget(id), keptMs).unref();
    kept.set(id, { session, json, type, timeout });
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
      const find = (id: string): KeptResult | undefined => {
        const result = kept.get(id);
        return result?.session === session ? result : undefined;
      };
      return { read: (id) => find(id)?.json, typeOf: (id) => find(id)?.type };
    },
  };
}
