import { onTestFinished } from "vitest";
import { makeCallsInFlight } from "../../../serve/agent/calls-in-flight.ts";
import type { LongRuns, WaitingRequest } from "../../../serve/long-runs/runs.ts";
import type { RunStore } from "../../../serve/store/run-store.ts";
import { makeSealer, type Sealer } from "../../../engine/store-plan.ts";
import { joinStore } from "../../../extras/stores/join-store.ts";
import { failedAnswer } from "../../../schemas/run/answer.ts";
import type { ToolCallResult } from "../../../serve/surface.ts";
import { toRunResult } from "../../../serve/surfaces/run-tool.ts";

export const fail = (error: unknown): never => {
  throw error;
};
export const sealer = makeSealer("k".repeat(32));
export const DONE = toRunResult({ logs: [], result: "done", diagnostics: [], toolTrace: [] });
export const CANCELLED = toRunResult(
  failedAnswer([{ severity: "error", code: "RUN_CANCELLED", message: "The run was cancelled" }]),
);

interface Joining {
  onFailure?: (error: unknown) => void;
  warn?: (text: string) => void;
  /** `null`: without one. */
  key?: Sealer | null;
}

/** Joins a store, until the test ends. */
export async function join(store: RunStore, { onFailure = fail, warn = fail, key = sealer }: Joining = {}) {
  const joined = await joinStore({ store, sealer: key ?? undefined }, { warn, onFailure });
  onTestFinished(joined.replica.end);
  return joined;
}

/** The runs of one client on a replica. */
export async function startReplica(
  store: RunStore,
  onFailure?: (error: unknown) => void,
  detachAfterMs = 20_000,
): Promise<LongRuns> {
  const { runsOf } = await join(store, { ...(onFailure && { onFailure }) });
  return runsOf("", { detachAfterMs, calls: makeCallsInFlight(), isNamed: false });
}

/** A run that ends when the test says so. */
export function aRun(result: ToolCallResult) {
  let end!: () => void;
  const ended = new Promise<ToolCallResult>((resolve) => (end = () => resolve(result)));
  let begin!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const work = (): Promise<ToolCallResult> => {
    begin();
    return ended;
  };
  return { work, end, begun };
}

export function aRequest(key?: string): WaitingRequest {
  const { signal } = new AbortController();
  const stream = { logged: () => undefined, callEvent: () => undefined };
  return {
    ...{ session: "", signal, stream, ask: () => "by-result" as const },
    ...(key !== undefined && { key: { text: key, call: "the call" } }),
  };
}
