import type { RateLimiter } from "../admission/rate-limit.ts";
import type { ResultCache } from "../answers/result-cache.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { RateLimit } from "../../schemas/config/config-file.ts";

/** Where a store reports what no request is answered with. */
export interface StoreReports {
  /** Receives what an operator should see to. */
  warn(text: string): void;
  onFailure(error: unknown): void;
}

/**
 * What replicas share, by name. Each value is there until its time is over. Every function rejects with a `CodemodeError`
 * `STORE_UNREACHABLE` where the store does not answer; none names its credentials.
 */
export interface NameStore {
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

/** What this process shares with other replicas. */
export interface SharedState {
  /** Whether the store has answered lately. */
  isReachable(): boolean;
  /** By how much the clock of this machine is ahead of the store's, in milliseconds. */
  skewMs(): number;
  /** The long results of one client. */
  cacheOf(client: string): ResultCache;
  /** Counts the runs of each client on all replicas. */
  limiter(limit: RateLimit | undefined): RateLimiter;
  close(): Promise<void>;
}

/** The stores of replicas. */
export interface StoresExtra {
  /**
   * Checks what `serve.store` asks for before anything is started, and gives what joins its replicas; undefined where it asks for nothing. Both throw a
   * `CodemodeError`.
   */
  planStore(config: Config): ((reports: StoreReports) => Promise<SharedState>) | undefined;
}
