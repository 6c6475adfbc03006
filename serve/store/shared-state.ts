import type { RateLimiter } from "../admission/rate-limit.ts";
import type { ResultCache } from "../answers/result-cache.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { RateLimit } from "../../schemas/config/config-file.ts";
import type { RunStore } from "./run-store.ts";

/** Where a store reports what no request is answered with. */
export interface StoreReports {
  /** Receives what an operator should see to. */
  warn(text: string): void;
  onFailure(error: unknown): void;
}

/** What this process shares with other replicas. */
export interface SharedState {
  store: RunStore;
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
