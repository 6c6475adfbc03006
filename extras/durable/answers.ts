import { clock, delay } from "../../engine/clock.ts";
import { isSigned } from "../../engine/approval-secret.ts";
import { unlessCode } from "../../schemas/codemode-error.ts";
import { findMistakenChange } from "../../runtime/host/checks/changed-input.ts";
import { canonicalJson } from "../../schemas/json/canonical-json.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import type { ApprovalKey, CallDecision } from "../../schemas/run/approval.ts";
import { findInvalidAnswer, printDecision, toServerReply } from "../../schemas/run/call-question.ts";
import type { AnswerOutcome, AnswerProof, InvalidAnswer, OpenQuestion, StepOf } from "../../schemas/run/durable-run.ts";
import { type FoldedRun, foldRun, openQuestions, type RunQuestion } from "../../schemas/run/fold-run.ts";
import { parseQuestionId, printQuestionId } from "../../schemas/run/question-id.ts";
import { toDecided } from "./asked-step.ts";
import type { RunQuestions } from "./questions.ts";
import { unlessDamaged } from "./durable-errors.ts";
import type { DurableStore, KeptRun, LeftMessage, ListedRun, OwnedRun, RunMessage, StoredRun } from "./kept-runs.ts";
import { claimRun, inTurns, readRun } from "./run-store.ts";

// A question is in the log of its run. Who does not have the run leaves the answer for the process that has it, which alone adds to the log.

export interface Answering {
  store: DurableStore<KeptRun>;
  here: ReadonlyMap<string, AskingHere>;
  /** As in `DurableWork`. */
  key?: Promise<ApprovalKey | undefined> | undefined;
}

/** A run of this process that may ask. */
export interface AskingHere {
  questions: Pick<RunQuestions, "decide"> & { open(): readonly unknown[] };
  /** What this process has kept of it; undefined before it is kept. */
  owned(): OwnedRun<KeptRun> | undefined;
  /** Why a decision is no answer, where the log does not have what says that. */
  findProblem?(question: RunQuestion, decision: CallDecision): string | undefined;
}

/**
 * The questions of some runs.
 * @param onDamaged called for each run that cannot be read: it keeps no other from its answer
 */
export async function readQuestions(
  answering: Answering,
  runs: readonly ListedRun[],
  onDamaged?: () => void,
): Promise<OpenQuestion[]> {
  const asking = runs.filter(({ head }) => head === undefined || head.questions.length > 0);
  const unlessUnread = (error: unknown): undefined => {
    unlessDamaged(error);
    onDamaged?.();
  };
  const look = async ({ id }: ListedRun): Promise<OpenQuestion[]> => {
    const known = await readKnown(answering, id).catch(unlessCode("RUN_UNKNOWN")).catch(unlessUnread);
    return known === undefined ? [] : listQuestions(answering, known);
  };
  return (await inTurns(asking, look)).flat();
}

/** A run as it is known here: of a run of this process only its own memory counts, and not what another program writes where the run is kept. */
async function readKnown({ store, here }: Answering, id: string): Promise<StoredRun<KeptRun>> {
  const owned = here.get(id)?.owned();
  return owned === undefined ? readRun(store, id) : { run: owned.run, steps: owned.steps, isOwned: true };
}

/** The questions of a run that no one has answered, nor left an answer for that counts. */
export async function listQuestions(answering: Answering, { run, steps }: StoredRun<KeptRun>): Promise<OpenQuestion[]> {
  const folded = foldRun(steps);
  const open = openQuestions(folded);
  if (open.length === 0) return [];
  const answered = await readAnswers(answering, { run, folded }, await answering.store.messages([run.id]));
  return open
    .filter((question) => !answered.has(question.number) && !isLate(question))
    .map((question) => ({
      ...{ id: printQuestionId({ run: run.id, number: question.number }), run: run.id, client: run.client },
      ...{ script: run.script, project: run.project, kind: question.about, tools: toolsOf(folded, question) },
      ...{ digest: digestOf(run, question), lines: question.lines, whole: question.whole, until: question.until },
      ...{ clientProcesses: run.clientProcesses, verifiesWith: run.verifiesWith },
    }));
}

/** A process that goes on with a run holds it for a moment before its question can be answered there. */
const WHILE_CLAIMED = { tries: 30, pauseMs: 100 };

/** As `answer` of `DurableRunList`. */
export async function answerQuestion(
  answering: Answering,
  id: string,
  decision: CallDecision,
  proof: AnswerProof = {},
): Promise<AnswerOutcome | InvalidAnswer> {
  for (let left = WHILE_CLAIMED.tries; ; left -= 1) {
    const answered = answerOnce(answering, id, decision, proof);
    const outcome = left === 0 ? await answered : await answered.catch(unlessCode("RUN_HELD"));
    if (outcome !== undefined) return outcome;
    await delay(WHILE_CLAIMED.pauseMs);
  }
}

async function answerOnce(
  answering: Answering,
  id: string,
  decision: CallDecision,
  { sign, form, digest: shown, project }: AnswerProof,
): Promise<AnswerOutcome | InvalidAnswer> {
  const { store, here } = answering;
  const named = parseQuestionId(id);
  if (named === undefined) return "gone";
  const { run, steps } = await readKnown(answering, named.run);
  if (project !== undefined && run.project !== project) return "gone";
  if (form !== undefined && !mayAnswer(run, decision, { form })) return "wrong";
  const folded = foldRun(steps);
  const question = folded.questions.find(({ number }) => number === named.number);
  if (question === undefined) return "gone";
  const problem =
    findUnfit(question, decision) ??
    findMistake(folded, question, decision) ??
    here.get(named.run)?.findProblem?.(question, decision);
  if (problem !== undefined) return { problem };
  const whole = wholeDecision(folded, question, decision);
  const left = await readAnswers(answering, { run, folded }, await store.messages([run.id]));
  const before = question.decision ?? left.get(question.number)?.decision;
  if (before !== undefined) return isSame(before, whole) ? "given" : "answered";
  if (isLate(question) || !openQuestions(folded).some(({ number }) => number === question.number)) return "gone";
  const digest = digestOf(run, question);
  if (shown !== undefined && shown !== digest) return "stale";
  const atRun = here.get(run.id);
  if (sign === undefined && atRun !== undefined)
    return (await atRun.questions.decide(question, whole)) ? "given" : "gone";
  const message: RunMessage = { question: question.number, digest, decision: whole };
  if (sign !== undefined && whole.verdict !== "refused") {
    const signed = (await sign(textOf(message), run.verifiesWith)) ?? "wrong";
    if (signed === "wrong" || typeof signed === "object") return signed;
    message.signature = signed;
  }
  if (mayAnswer(run, whole, { isProven: sign !== undefined || store.isSealed }))
    return (await store.leave(run.id, message)) ? "given" : "gone";
  const owned = await claimRun(store, run.id);
  try {
    await owned.append([toDecided(question.number, question.digest, whole)], true);
  } finally {
    await owned.release();
  }
  return "given";
}

/** Adds what was left for a run to its log, before it goes on. */
export async function takeAnswers(answering: Answering, owned: OwnedRun<KeptRun>): Promise<void> {
  const { store } = answering;
  const { run, steps } = owned;
  const left = await store.messages([run.id]);
  if (left.length === 0) return;
  const decided = [...(await readAnswers(answering, { run, folded: foldRun(steps) }, left)).values()];
  if (decided.length > 0) await owned.append(decided, true);
  await store.discard(left);
}

/** How often a process looks for what people have answered elsewhere, while its runs ask. */
export const HEAR_EVERY_MS = 250;

/** Gives the runs of this process what was left for them. A question that is in the log and not yet put again waits for its answer there. */
export async function hearAnswers(answering: Answering): Promise<void> {
  const { store, here } = answering;
  const asking = [...here].flatMap(([id, { questions }]) => (questions.open().length > 0 ? [id] : []));
  if (asking.length === 0) return;
  const left = await store.messages(asking);
  for (const id of new Set(left.map(({ run }) => run))) {
    const messages = left.filter(({ run }) => run === id);
    const atRun = here.get(id);
    const owned = atRun?.owned();
    if (atRun === undefined || owned === undefined) continue;
    const decided = await readAnswers(answering, { run: owned.run, folded: foldRun(owned.steps) }, messages);
    const early = new Set<number>();
    for (const [number, { decision, digest }] of decided)
      if (!(await atRun.questions.decide({ number, digest }, decision))) early.add(number);
    await store.discard(messages.filter(({ message }) => !early.has(message.question)));
  }
}

/**
 * Who may answer: a client in its form where it has begun the run and may approve, a person who signs, and a process of the operator, which alone has the
 * key of a sealed store. To refuse harms no one: a message that refuses needs no proof.
 */
function mayAnswer(
  { client }: KeptRun,
  { verdict }: CallDecision,
  { form, isProven = false }: Pick<AnswerProof, "form"> & { isProven?: boolean },
): boolean {
  if (form !== undefined) return form.mayApprove && form.client === client;
  return isProven || verdict === "refused";
}

/** The first message for each open question that counts, by the number of the question: for the question that was shown. */
async function readAnswers(
  { store: { isSealed }, key: reading }: Answering,
  { run, folded }: { run: KeptRun; folded: FoldedRun },
  left: readonly LeftMessage[],
): Promise<Map<number, StepOf<"decided">>> {
  const key = await reading;
  const open = new Map(openQuestions(folded).map((question) => [question.number, question]));
  const decided = new Map<number, StepOf<"decided">>();
  for (const { message } of left) {
    const { decision, signature } = message;
    const question = open.get(message.question);
    if (question === undefined || decided.has(message.question)) continue;
    if (message.digest !== digestOf(run, question)) continue;
    if (findUnfit(question, decision) !== undefined) continue;
    const isProven =
      signature === undefined ? isSealed : key !== undefined && isSigned(textOf(message), signature, key);
    if (!mayAnswer(run, decision, { isProven })) continue;
    decided.set(message.question, toDecided(question.number, question.digest, isProven ? decision : byHand(decision)));
  }
  return decided;
}

/** As it may come from any program of this account. */
function byHand(decision: CallDecision): CallDecision {
  return { ...decision, by: { way: decision.by?.way === "page" ? "page" : "terminal" } };
}

/** This question as it is in the log, and no other: its run and number, what is shown of it, and what it asks for. */
function digestOf({ id, project = "" }: KeptRun, { number, nonce, digest, lines, whole = lines }: RunQuestion): string {
  return integrityOf(["codemode question", project, id, number, nonce, digest, [...whole]]);
}

/** What an answer signs: the question that was shown, and the decision. */
function textOf({ digest, decision }: Pick<RunMessage, "digest" | "decision">): string {
  return canonicalJson(["codemode answer", digest, clone(decision)]);
}

/** What is changed of a call takes the place of the arguments of the same names; the rest stays. */
function wholeDecision(folded: FoldedRun, question: RunQuestion, decision: CallDecision): CallDecision {
  if (decision.verdict !== "changed") return decision;
  return { ...decision, input: { ...inputOf(folded, question), ...decision.input } };
}

/** Why a decision is no answer to a question of its kind. */
function findUnfit(asked: RunQuestion, decision: CallDecision): string | undefined {
  if (asked.about === "script") return findInvalidAnswer(decision, "script");
  const isUnfit = asked.about === "server" && toServerReply(decision, asked.question) === undefined;
  return isUnfit ? "The server wants other values" : undefined;
}

/** Why a change is none, or names an argument that there is not. */
function findMistake(folded: FoldedRun, question: RunQuestion, decision: CallDecision): string | undefined {
  const input = inputOf(folded, question);
  if (decision.verdict !== "changed" || input === undefined || question.about !== "call") return undefined;
  const { inputSchema } = question;
  if (inputSchema === undefined) return undefined;
  return findMistakenChange(inputSchema, input, { ...input, ...decision.input });
}

/** The arguments of the call that a question is about. */
function inputOf({ calls }: FoldedRun, question: RunQuestion): JsonObject | undefined {
  const inputJson = question.about === "call" ? calls.get(question.call)?.call?.inputJson : undefined;
  return inputJson === undefined ? undefined : (JSON.parse(inputJson) as JsonObject);
}

/** Whether an answer is the one that was given before, in any way. */
function isSame(before: CallDecision, now: CallDecision): boolean {
  return printDecision(before) === printDecision(now);
}

/** As it is read again: without what is undefined. */
function clone(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

/** A process that has ended can close none of its questions. */
function isLate({ until = Infinity }: RunQuestion): boolean {
  return until < clock.wall();
}

function toolsOf({ calls }: FoldedRun, question: RunQuestion): readonly string[] {
  if (question.about !== "call") return question.about === "script" ? question.tools : [];
  const made = calls.get(question.call)?.call;
  return question.tools ?? [made === undefined ? "?" : `${made.serverId}/${made.toolName}`];
}
