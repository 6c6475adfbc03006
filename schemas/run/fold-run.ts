import type { ToolReply } from "../lock/tools.ts";
import type { RunAnswer } from "./answer.ts";
import type { CallDecision } from "./approval.ts";
import type { DurableState, Step, StepOf } from "./durable-run.ts";

/** How a call of a run stands: only what was recorded of the call itself decides about it, and what a person allowed before it was made. */
export interface CallState {
  /** Absent where only later steps of it are readable. */
  call?: StepOf<"call"> | undefined;
  /** Whether a person had allowed all later calls of its tool before the script made it. */
  isGranted: boolean;
  /** The question about it that no decision has answered yet. */
  open?: RunQuestion | undefined;
  /** What was decided about it, in the order of its questions. */
  decided: readonly StepOf<"decided">[];
  /** What a server may have got, each time. */
  sent: readonly StepOf<"sent">[];
  reply?: StepOf<"reply"> | undefined;
  /** How far it was taken back, after the end of the run. */
  undo?: StepOf<"undoing" | "undone"> | undefined;
}

/** A question to a person. The questions of a run are counted from 1, in their order in the log; a question keeps its number. */
export interface RunQuestion extends StepOf<"asked"> {
  number: number;
}

type HeardStep = StepOf<"reply"> | StepOf<"fire">;

/** In the place of the number of a call: the question about the script as a whole. */
export const SCRIPT_QUESTION = 0;

/** In the place of the number of a call: the question of a server. A run has one at a time. */
export const SERVER_QUESTION = -1;

/** What the steps of a run come to. */
export interface FoldedRun {
  /** By their numbers, in the order in which they were made. */
  calls: ReadonlyMap<number, CallState>;
  /** All questions, with what was decided about each; one without a decision may be open still, or have gone with its call. */
  questions: readonly (RunQuestion & { decision?: CallDecision })[];
  /** What the script has heard. */
  heard: readonly HeardStep[];
  /** How much of that it had heard when it made its last call. */
  heardBefore: number;
  /** Milliseconds of work in all attempts that were suspended. */
  usedMs: number;
  /** When it was suspended, where nothing has happened since; a process that only looked whether it can go on has not changed it. */
  waitsSince?: number | undefined;
  /** Whether the script may have begun to run: a question about it as a whole comes before. */
  hasBegun: boolean;
  last: Step | undefined;
  /** Its end: nothing of it goes on. */
  end: StepOf<"ended"> | undefined;
  /** Of a run that is blocked or has ended. */
  answer: RunAnswer | undefined;
  /** When it goes on by itself, where it has no sandbox. */
  wakeAt: number | undefined;
}

/** The one reader of the order of steps. A decision holds for the calls after it, and for the one whose open question it answers. */
export function foldRun(steps: readonly Step[]): FoldedRun {
  return makeRunFold(steps)();
}

/** Folds steps that are still added to: each call of the function reads what was added since the last one. */
export function makeRunFold(
  steps: readonly Step[],
): () => FoldedRun & { isGranted(call: number, tool: string): boolean } {
  const calls = new Map<number, CallState>();
  const granted = new Set<string>();
  const questions: (RunQuestion & { decision?: CallDecision })[] = [];
  let heard: HeardStep[] = [];
  let [usedMs, read, heardBefore] = [0, 0, 0];
  let waitsSince: number | undefined;
  let hasBegun = false;

  const change = (id: number, of: (state: CallState) => Partial<CallState>): void => {
    const state = calls.get(id) ?? { isGranted: false, decided: [], sent: [] };
    calls.set(id, { ...state, ...of(state) });
  };
  const add = (step: Step): void => {
    hasBegun ||= !isBeforeScript(step);
    const waits = step.kind === "suspended" || (step.kind === "asked" && step.call === SCRIPT_QUESTION);
    waitsSince = waits ? (waitsSince ?? step.at) : undefined;
    switch (step.kind) {
      case "call":
        if (calls.get(step.call)?.call !== undefined) return;
        heardBefore = heard.length;
        return change(step.call, () => ({ call: step, isGranted: granted.has(toolOf(step)) }));
      case "asked":
        return ask({ ...step, number: questions.length + 1 });
      case "decided":
      case "closed":
        return close(step);
      case "sent":
        return change(step.call, ({ sent }) => ({ sent: [...sent, step] }));
      case "reply":
        heard.push(step);
        return change(step.call, ({ reply = step }) => ({ reply, open: undefined }));
      case "fire":
        return void heard.push(step);
      case "suspended":
        usedMs += step.usedMs;
        return;
      case "retried":
        return forget(new Set(step.calls));
      case "undoing":
      case "undone":
        return change(step.call, () => ({ undo: step }));
    }
  };
  /** One whose connection broke may have been made: what was sent of it stays. */
  const forget = (made: ReadonlySet<number>): void => {
    const first = heard.findIndex((step) => step.kind === "reply" && made.has(step.call));
    heard = heard.filter((step, at) => first < 0 || at < first || (step.kind === "reply" && !made.has(step.call)));
    for (const call of made)
      change(call, ({ sent, reply }) => ({
        ...{ open: undefined, decided: [], reply: undefined },
        sent: reply?.isBroken === true ? sent : [],
      }));
  };
  const ask = (question: RunQuestion): void => {
    questions.push(question);
    change(question.call, () => ({ open: question }));
  };
  /** What answers no open question counts for nothing. */
  const close = (step: StepOf<"decided" | "closed">): void => {
    const state = calls.get(step.call);
    if (state?.open?.digest !== step.digest) return;
    if (step.kind === "closed") return change(step.call, () => ({ open: undefined }));
    questions[state.open.number - 1] = { ...state.open, decision: step.decision };
    change(step.call, ({ decided }) => ({ open: undefined, decided: [...decided, step] }));
    const { decision } = step;
    if (decision.verdict === "granted" && decision.forRun === true && state.call !== undefined)
      granted.add(toolOf(state.call));
  };
  return () => {
    for (; read < steps.length; read += 1) add(steps[read] as Step);
    return {
      ...{ calls, questions, heard, heardBefore, usedMs, waitsSince, hasBegun, ...standingOf(steps) },
      // A call that is not recorded yet comes after all that is.
      isGranted: (call, tool) => calls.get(call)?.isGranted ?? granted.has(tool),
    };
  };
}

/** Whether a run has ended because a person has refused its script. */
export function wasRefused({ end, hasBegun, calls }: FoldedRun): boolean {
  const decided = calls.get(SCRIPT_QUESTION)?.decided.at(-1);
  return end !== undefined && !hasBegun && decided?.decision.verdict === "refused";
}

/** A question about the script, and what is decided about it. */
function isBeforeScript(step: Step): boolean {
  if (step.kind === "ended" || step.kind === "retried") return true;
  const isQuestion = step.kind === "asked" || step.kind === "decided" || step.kind === "closed";
  return isQuestion && step.call === SCRIPT_QUESTION;
}

/** The end of a run, where it has one; cheaper than to fold all of its steps. */
export function endOf(steps: readonly Step[]): StepOf<"ended"> | undefined {
  const last = steps.at(-1);
  return last?.kind === "ended" ? last : undefined;
}

/** What the last step alone says. */
function standingOf(steps: readonly Step[]): Pick<FoldedRun, "last" | "end" | "answer" | "wakeAt"> {
  const [last, end] = [steps.at(-1), endOf(steps)];
  return {
    ...{ last, end },
    answer: last?.kind === "blocked" ? last.answer : end?.answer,
    wakeAt: last?.kind === "suspended" ? last.wakeAt : undefined,
  };
}

/** Whether what a call has done was taken back, or perhaps was. What could not be taken back stands. */
export function mayBeUndone({ undo }: CallState): boolean {
  return undo?.kind === "undone" || (undo !== undefined && undo.hasFailed !== true);
}

/** What a call has done at its server: nothing where none got it, or its server has refused it; unknown without an answer, or where the connection broke. */
export function effectOf({ sent, reply }: CallState): "none" | "done" | "unknown" {
  if (sent.length === 0) return "none";
  if (reply === undefined) return "unknown";
  if ((JSON.parse(reply.replyJson) as ToolReply).ok) return "done";
  return reply.isBroken === true ? "unknown" : "none";
}

/** The questions that wait for a person, in the order of their calls. */
export function openQuestions({ calls, end }: FoldedRun): RunQuestion[] {
  if (end !== undefined) return [];
  return [...calls.values()].flatMap(({ open }) => (open === undefined ? [] : [open]));
}

/** @param isOwned whether a process that is alive has the run */
export function stateOfRun({ last, calls }: Pick<FoldedRun, "last" | "calls">, isOwned: boolean): DurableState {
  if (last?.kind === "asked" && calls.get(SCRIPT_QUESTION)?.open !== undefined) return "waiting";
  if (last?.kind === "ended" || last?.kind === "blocked") return last.kind;
  if (last?.kind === "suspended") return "waiting";
  return isOwned ? "running" : "interrupted";
}

function toolOf({ serverId, toolName }: StepOf<"call">): string {
  return `${serverId}/${toolName}`;
}
