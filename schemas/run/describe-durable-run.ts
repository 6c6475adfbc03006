import { countOf } from "../text/count-of.ts";
import type { RunOverview, Step } from "./durable-run.ts";

/** How a durable run stands, and what it waits for. */
export function describeState({ state, questions, wakeAt, answer }: RunOverview): string {
  if (state === "waiting" && questions.length > 0)
    return `waits for a person (${countOf(questions.length, "question")})`;
  if (state === "waiting") return wakeAt === undefined ? "waits" : `waits until ${toTime(wakeAt)}`;
  const error = answer?.diagnostics.find(({ severity }) => severity === "error");
  return error === undefined ? state : `${state}: ${error.code}`;
}

export function describeBegin({ begunAt, calls, state }: RunOverview): string {
  if (state === "damaged") return "it cannot be read";
  return `begun ${toTime(begunAt)}, ${countOf(calls, "call")}`;
}

/** The time line: what a reader cannot guess from the step before, without inputs and results, which may hold secrets. Names and messages are hostile text. */
export function describeStep(step: Step): string[] {
  switch (step.kind) {
    case "call":
      return [`call ${step.call}: ${step.serverId}/${step.toolName}`];
    case "sent":
      return [`call ${step.call} sent`];
    case "reply":
      return [`call ${step.call} answered after ${step.durationMs} ms`];
    case "fire":
      return [`timer ${step.timer} fired`];
    case "asked":
      return [`call ${step.call}: a person is asked`];
    case "decided":
      return [`call ${step.call}: ${step.decision.verdict}`];
    case "undoing":
      return [`call ${step.call} ${step.hasFailed === true ? "could not be" : "begins to be"} taken back`];
    case "undone":
      return [`call ${step.call} taken back`];
    case "suspended":
      return ["suspended"];
    case "blocked":
    case "ended":
      return step.answer.diagnostics.map(({ code, message }) => `${step.kind}: ${code}: ${message}`);
  }
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
