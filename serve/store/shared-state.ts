import { setTimeout as delay } from "node:timers/promises";
import { makeRateLimiter, type RateLimiter } from "../admission/rate-limit.ts";
import type { ResultShelf } from "../answers/result-shelf.ts";
import { OpenWork } from "../http/open-work.ts";
import { type LongRunOptions, makeLongRuns } from "../long-runs/long-runs.ts";
import type { LongRuns } from "../long-runs/runs.ts";
import type { RateLimit } from "../../schemas/config/serve-settings.ts";
import { openStore, type OpenedStore, type StorePlan } from "./open-store.ts";
import { joinReplicas, type Replica } from "./replica.ts";
import { makeRunMirror } from "./run-mirror.ts";
import { makeRunRecords } from "./run-records.ts";
import { makeSharedShelf } from "./shared-results.ts";
import type { RunStore } from "./run-store.ts";
import { makeSharedRuns } from "./shared-runs.ts";

/** What this process shares with other replicas. */
export interface SharedState extends OpenedStore {
  replica: Replica;
  /** What is being written. */
  writes: OpenWork;
  /** The long results of one client. */
  shelfOf(client: string, onFailure: (error: unknown) => void): ResultShelf;
  close(): Promise<void>;
}

/** For what is being written when the process ends. */
const FLUSH_MS = 3000;

/** For a limit: then the count of this process stands in. */
const LIMIT_MS = 500;

/**
 * Joins the replicas of a store. Rejects with a `CodemodeError` where it cannot be used.
 * @param warn receives what an operator should see to
 */
export async function joinStore(plan: StorePlan, warn: (text: string) => void): Promise<SharedState> {
  const opened = await openStore(plan);
  const replica = await joinReplicas(opened.store, (skewMs) => warn(describeSkew(skewMs))).catch(
    async (error: unknown) => {
      await opened.store.close();
      throw error;
    },
  );
  const writes = new OpenWork();
  return {
    ...{ ...opened, replica, writes },
    shelfOf: (client, onFailure) => makeSharedShelf({ ...opened, writes }, client, onFailure),
    async close() {
      if (replica.isHeard()) await writes.settled(FLUSH_MS);
      replica.end();
      await opened.store.close();
    },
  };
}

function describeSkew(skewMs: number): string {
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  return `The clock of this machine is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} that of the store: keep both by NTP.`;
}

/** The runs of one client: those of this process, and with a store those of all replicas. */
export function makeRunsOf(
  client: string,
  shared: SharedState | undefined,
  options: Omit<LongRunOptions, "onShared" | "written">,
  onFailure: (error: unknown) => void,
): LongRuns {
  if (shared === undefined) return makeLongRuns(options);
  const { replica, writes } = shared;
  const records = makeRunRecords(shared, client);
  const mirror = makeRunMirror({ records, replica: replica.id, writes, onFailure });
  const { written } = mirror;
  const local = makeLongRuns({ ...options, onShared: mirror.changed, written });
  mirror.follow(local);
  return makeSharedRuns({ local, records, replica, written, detachAfterMs: options.detachAfterMs, onFailure });
}

/** Counts the runs of each client on all replicas; where the store does not answer, those of this process. */
export function makeSharedLimiter(
  { store, replica }: { store: Pick<RunStore, "limit">; replica: Pick<Replica, "isHeard"> },
  limit: RateLimit | undefined,
  onFailure: (error: unknown) => void,
): RateLimiter {
  const own = makeRateLimiter(limit);
  if (limit === undefined) return own;
  return {
    async take(client) {
      if (!replica.isHeard()) return own.take(client);
      try {
        const taken = store.limit(`rate/${encodeURIComponent(client)}`, limit.runsPerMinute);
        taken.catch(() => undefined); // where it comes too late
        const waitMs = await Promise.race([taken, delay(LIMIT_MS, undefined, { ref: false })]);
        return waitMs === undefined ? await own.take(client) : Math.ceil(waitMs / 1000);
      } catch (error) {
        onFailure(error);
        return own.take(client);
      }
    },
  };
}
