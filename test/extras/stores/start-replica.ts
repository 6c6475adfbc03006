import { onTestFinished } from "vitest";
import { makeCallsInFlight } from "../../../serve/agent/calls-in-flight.ts";
import { OpenWork } from "../../../serve/http/open-work.ts";
import type { LongRuns, WaitingRequest } from "../../../serve/long-runs/runs.ts";
import { joinReplicas } from "../../../extras/stores/replica.ts";
import type { RunStore } from "../../../serve/store/run-store.ts";
import { makeSealer } from "../../../engine/store-plan.ts";
import { makeRunsOf } from "../../../extras/stores/join-store.ts";
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

export async function startReplica(
  store: RunStore,
  onFailure: (error: unknown) => void = fail,
  detachAfterMs = 20_000,
): Promise<LongRuns> {
  const [replica, writes] = [await joinReplicas(store, () => undefined), new OpenWork()];
  onTestFinished(replica.end);
  return makeRunsOf("", { store, sealer, replica, writes }, { detachAfterMs, calls: makeCallsInFlight() }, onFailure);
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
