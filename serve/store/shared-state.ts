import type { RateLimiter } from "../admission/rate-limit.ts";
import type { ResultShelf } from "../answers/result-shelf.ts";
import type { LongRunOptions } from "../long-runs/long-runs.ts";
import type { LongRuns } from "../long-runs/runs.ts";
import type { SharedQuestions } from "../approvals/shared-questions.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { RateLimit } from "../../schemas/config/serve-settings.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
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
  /** Whether the store has heard of this process lately: otherwise the others take its runs for lost. */
  isHeard(): boolean;
  /** By how much the clock of this machine is ahead of the store's, in milliseconds. */
  skewMs(): number;
  /** The long results of one client. */
  shelfOf(client: string): ResultShelf;
  /** The runs of one client on all replicas. */
  runsOf(client: string, options: Omit<LongRunOptions, "onShared" | "written">): LongRuns;
  /** Hands messages of the sessions of one client to other replicas. */
  relayOf(client: string): SessionRelay;
  /** The questions of runs on all replicas, of a project in this folder. */
  questionsOf(project: string): SharedQuestions;
  /** Counts the runs of each client on all replicas. */
  limiter(limit: RateLimit | undefined): RateLimiter;
  close(): Promise<void>;
}

/** Hands messages of the sessions of one client to the replica that waits for them: a client's messages go to any. */
export interface SessionRelay {
  /** Calls back with the message of that name, once it is there; returns how to stop waiting. */
  expect(session: string, name: string, take: (content: JsonObject | undefined) => void): () => void;
  /** A message with content is for the holders of the key alone: without a key it is not sent. */
  send(session: string, name: string, content?: JsonObject): void;
}

/** The stores of replicas. */
export interface StoresExtra {
  /**
   * Checks what `serve.store` asks for before anything is started, and gives what joins its replicas; undefined where it asks for nothing. Both throw a
   * `CodemodeError`.
   */
  planStore(config: Config): ((reports: StoreReports) => Promise<SharedState>) | undefined;
}
