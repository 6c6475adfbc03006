import { makeCallsInFlight } from "../../serve/agent/calls-in-flight.ts";
import { type LongRunOptions, makeLongRuns } from "../../serve/long-runs/long-runs.ts";
import type { LongRuns, RunInside, WaitingRequest } from "../../serve/long-runs/runs.ts";
import type { ToolCallResult } from "../../serve/surface.ts";

const DETACH_MS = 40;

export function makeRuns(options: Partial<Omit<LongRunOptions, "calls">> = {}) {
  const calls = makeCallsInFlight();
  return {
    calls,
    runs: makeLongRuns({ detachAfterMs: DETACH_MS, calls, client: undefined, mayApprove: true, ...options }),
  };
}

export function aRequest(session = "one", signal: AbortSignal = new AbortController().signal): WaitingRequest {
  const emit = () => undefined;
  return { session, signal, emit, digest: () => "sha256-request", asksByResult: true, ask: () => "by-result" };
}

export const answerOf = (text: string): ToolCallResult => ({ content: [{ type: "text", text }] });
export const log = (message: string) => ({ level: "log", message, timeMs: 0 }) as const;

/**
 * A run that ends when the test says so, or when it is cancelled.
 * @param enter what enters it into a store
 */
export function aRun(enter?: () => Promise<void>) {
  let inside!: RunInside;
  let end!: (answer: ToolCallResult) => void;
  const ended = new Promise<ToolCallResult>((resolve) => (end = resolve));
  const work = (run: RunInside): Promise<ToolCallResult> => {
    inside = run;
    if (enter !== undefined) run.entersLate(enter);
    run.signal.addEventListener("abort", () => end(answerOf("cancelled")));
    if (run.signal.aborted) end(answerOf("cancelled"));
    return ended;
  };
  return {
    work,
    end: (text: string) => end(answerOf(text)),
    log: (message: string) => inside.emit({ type: "log", entry: log(message) }),
  };
}

export async function detached(runs: LongRuns, run = aRun(), request = aRequest()) {
  const news = await runs.begin(run.work, request);
  if (news.kind !== "continues") throw new Error(`The run is ${news.kind}.`);
  return { ...run, id: news.id };
}
