import { countOf } from "../text/count-of.ts";
import type { RunOverview, Step } from "./durable-run.ts";
import { foldRun, type RunQuestion } from "./fold-run.ts";

/**
 * How a durable run stands, what it waits for, and for how long so far.
 * @param now milliseconds since the epoch
 */
export function describeState(run: RunOverview, now: number): string {
  const { state, waitsSince, error } = run;
  if (state === "waiting")
    return waitsSince === undefined ? describeWait(run) : `${describeWait(run)}, ${toLength(now - waitsSince)} so far`;
  return error === undefined ? state : `${state}: ${error}`;
}

function describeWait({ questions, wakeAt }: RunOverview): string {
  if (questions.length > 0) return `waits for a person (${countOf(questions.length, "question")})`;
  return wakeAt === undefined ? "waits" : `waits until ${toLocalTime(wakeAt)}`;
}

export function describeBegin({ begunAt, calls, state }: RunOverview): string {
  if (state === "damaged") return "it cannot be read";
  return `begun ${toLocalTime(begunAt)}, ${countOf(calls, "call")}`;
}

/** The time line: what a reader cannot guess from the step before, without inputs and results, which may hold secrets. Names and messages are hostile text. */
export function describeSteps(steps: readonly Step[]): string[] {
  const { questions } = foldRun(steps);
  let asked = 0;
  return steps.flatMap((step) => {
    if (step.kind === "asked") asked += 1;
    const number = step.kind === "decided" || step.kind === "closed" ? step.number : asked;
    return describeStep(step, questions[number - 1]);
  });
}

/** What a person is asked about. */
function subjectOf(question: RunQuestion | undefined): string {
  if (question?.about === "call") return `call ${question.call}`;
  return question?.about === "script" ? "the script" : "a server";
}

/** @param question that the step is about, where it is about one */
function describeStep(step: Step, question: RunQuestion | undefined): string[] {
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
      return [`${subjectOf(question)}: a person is asked`];
    case "decided":
      return [`${subjectOf(question)}: ${step.decision.verdict}`];
    case "closed":
      return [`${subjectOf(question)}: no answer`];
    case "undoing":
      return [`call ${step.call} ${step.hasFailed === true ? "could not be" : "begins to be"} taken back`];
    case "undone":
      return [`call ${step.call} taken back${step.undoneBy === undefined ? "" : ` by run ${step.undoneBy}`}`];
    case "retried":
      return [`retried: ${countOf(step.calls.length, "call")} made again`];
    case "suspended":
      return ["suspended"];
    case "blocked":
    case "ended":
      return step.answer.diagnostics.map(({ code, message }) => `${step.kind}: ${code}: ${message}`);
  }
}

/** A time in milliseconds since the epoch, for people: by the clock of this machine. */
export function toLocalTime(ms: number): string {
  const local = ms - new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(local).toISOString().slice(0, "2026-11-27T10:00:00".length).replace("T", " ");
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

function toLength(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? (["second", 1000] as const);
  return countOf(Math.max(0, Math.floor(ms / length)), unit);
}
