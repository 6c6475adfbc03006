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
  /** What a server may have got, each time. */
  sent: readonly StepOf<"sent">[];
  reply?: StepOf<"reply"> | undefined;
  /** How far it was taken back, after the end of the run. */
  undo?: StepOf<"undoing" | "undone"> | undefined;
}

/** A question to a person. The questions of a run are counted from 1, in their order in the log; a question keeps its number. */
export type RunQuestion = StepOf<"asked"> & { number: number };

/** What a question is about: a call by its number, the script before it runs, or what a server asks in the middle of a call. */
type Subject = number | "script" | "server";

/** What a person was asked about one subject. */
interface AskedState {
  /** The question that no decision has answered yet. */
  open?: RunQuestion | undefined;
  /** What was decided, in the order of the questions. */
  decided: readonly StepOf<"decided">[];
}

type HeardStep = StepOf<"reply"> | StepOf<"fire">;

/** What the steps of a run come to. */
export interface FoldedRun {
  /** By their numbers, in the order in which they were made. */
  calls: ReadonlyMap<number, CallState>;
  asked: ReadonlyMap<Subject, AskedState>;
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
  return makeRunFold({ steps })();
}

/**
 * Folds steps that are still added to: each call of the function reads what was added since the last one.
 * @param run whose steps are in another array when it has entered its store
 */
export function makeRunFold(run: {
  readonly steps: readonly Step[];
}): () => FoldedRun & { isGranted(call: number, tool: string): boolean } {
  const calls = new Map<number, CallState>();
  const granted = new Set<string>();
  const { questions, asked, ...asking } = makeQuestionFold();
  let heard: HeardStep[] = [];
  let [usedMs, read, heardBefore] = [0, 0, 0];
  let waitsSince: number | undefined;
  let hasBegun = false;

  const change = (id: number, of: (state: CallState) => Partial<CallState>): void => {
    const state = calls.get(id) ?? { isGranted: false, sent: [] };
    calls.set(id, { ...state, ...of(state) });
  };
  const add = (step: Step): void => {
    hasBegun ||= !isBeforeScript(step, questions);
    const waits = step.kind === "suspended" || (step.kind === "asked" && step.about === "script");
    waitsSince = waits ? (waitsSince ?? step.at) : undefined;
    switch (step.kind) {
      case "call":
        if (calls.get(step.call)?.call !== undefined) return;
        heardBefore = heard.length;
        return change(step.call, () => ({ call: step, isGranted: granted.has(toolOf(step)) }));
      case "asked":
        return asking.ask(step);
      case "decided":
      case "closed":
        return grant(step, asking.close(step));
      case "sent":
        return change(step.call, ({ sent }) => ({ sent: [...sent, step] }));
      case "reply":
        heard.push(step);
        asking.end(step.call);
        return change(step.call, ({ reply = step }) => ({ reply }));
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
      change(call, ({ sent, reply }) => ({ reply: undefined, sent: reply?.isBroken === true ? sent : [] }));
    for (const subject of isRefused(asked) ? [...made, "script" as const] : made) asked.delete(subject);
  };
  /** A person may allow all later calls of the tool. */
  const grant = (step: StepOf<"decided" | "closed">, answered: RunQuestion | undefined): void => {
    const call = answered?.about === "call" ? calls.get(answered.call)?.call : undefined;
    if (step.kind === "closed" || call === undefined) return;
    if (step.decision.verdict === "granted" && step.decision.forRun === true) granted.add(toolOf(call));
  };
  return () => {
    const { steps } = run;
    for (; read < steps.length; read += 1) add(steps[read] as Step);
    return {
      ...{ calls, asked, questions, heard, heardBefore, usedMs, waitsSince, hasBegun, ...standingOf(steps) },
      // A call that is not recorded yet comes after all that is.
      isGranted: (call, tool) => calls.get(call)?.isGranted ?? granted.has(tool),
    };
  };
}

function makeQuestionFold() {
  const questions: (RunQuestion & { decision?: CallDecision })[] = [];
  const asked = new Map<Subject, AskedState>();
  return {
    ...{ questions, asked },
    ask(step: StepOf<"asked">): void {
      const question = { ...step, number: questions.length + 1 };
      questions.push(question);
      asked.set(subjectOf(question), { decided: asked.get(subjectOf(question))?.decided ?? [], open: question });
    },
    /** @returns the open question that it closes: what answers none counts for nothing */
    close(step: StepOf<"decided" | "closed">): RunQuestion | undefined {
      const question = questions[step.number - 1];
      const state = question && asked.get(subjectOf(question));
      if (state?.open?.number !== step.number || state.open.digest !== step.digest) return undefined;
      const { open, decided } = state;
      if (step.kind === "decided") questions[step.number - 1] = { ...open, decision: step.decision };
      asked.set(subjectOf(open), { decided: step.kind === "decided" ? [...decided, step] : decided });
      return open;
    },
    /** The call has its answer. */
    end(call: number): void {
      const { decided } = asked.get(call) ?? {};
      if (decided !== undefined) asked.set(call, { decided });
    },
  };
}

function subjectOf(question: StepOf<"asked">): Subject {
  return question.about === "call" ? question.call : question.about;
}

/** Whether a run has ended because a person has refused its script. */
export function wasRefused({ end, hasBegun, asked }: FoldedRun): boolean {
  return end !== undefined && !hasBegun && isRefused(asked);
}

function isRefused(asked: FoldedRun["asked"]): boolean {
  return asked.get("script")?.decided.at(-1)?.decision.verdict === "refused";
}

/** A question about the script, and what is decided about it. */
function isBeforeScript(step: Step, questions: readonly RunQuestion[]): boolean {
  if (step.kind === "asked") return step.about === "script";
  if (step.kind === "decided" || step.kind === "closed") return questions[step.number - 1]?.about === "script";
  return step.kind === "ended" || step.kind === "retried";
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

/** The questions that wait for a person, in their order. */
export function openQuestions({ questions, asked, end }: FoldedRun): RunQuestion[] {
  if (end !== undefined) return [];
  return questions.filter((question) => asked.get(subjectOf(question))?.open?.number === question.number);
}

/** @param isOwned whether a process that is alive has the run */
export function stateOfRun({ last, asked }: Pick<FoldedRun, "last" | "asked">, isOwned: boolean): DurableState {
  if (last?.kind === "asked" && asked.get("script")?.open !== undefined) return "waiting";
  if (last?.kind === "ended" || last?.kind === "blocked") return last.kind;
  if (last?.kind === "suspended") return "waiting";
  return isOwned ? "running" : "interrupted";
}

function toolOf({ serverId, toolName }: StepOf<"call">): string {
  return `${serverId}/${toolName}`;
}
