import { randomUUID } from "node:crypto";
import { clock } from "../../engine/clock.ts";
import { makeRunId } from "../../engine/run-id.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { isJsonObject } from "../../schemas/json/json.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type Diagnostic, failedAnswer, type LogEntry } from "../../schemas/run/answer.ts";
import { makeTurns, type Turns } from "../../schemas/turns.ts";
import type { PersonsReply, ServerQuestion } from "../../schemas/run/question.ts";
import { KEY_REUSED } from "../../schemas/run/run-key.ts";
import type { ToolCallResult } from "../surface.ts";
import { toRunResult } from "../surfaces/run-tool.ts";
import type { CallsInFlight } from "../agent/calls-in-flight.ts";
import { KEPT_MINUTES, makeBoundedCache } from "../bounded-cache.ts";
import type { LongRuns, RunInside, RunNews, RunState, WaitingRequest } from "./runs.ts";

interface LongRun extends RunState {
  session: string;
  /** A request that is gone does not cancel it: it may be sent again. */
  isKeyed: boolean;
  cancellation: AbortController;
  outcome: Promise<ToolCallResult>;
  isDetached: boolean;
  /** A request can ask for it again: it was detached, or has a key. */
  isKept: boolean;
  /** How many events of calls there were. */
  calls: number;
  isCancelled: boolean;
  ended?: RunState["ended"] | undefined;
  /** Not yet sent to a request. */
  logs: LogEntry[];
  findings: readonly Diagnostic[];
  /** What waits now. */
  request: WaitingRequest | undefined;
  question: OpenForm | undefined;
  /** The digests of the requests that have got its questions as their results, and the ids of these questions. */
  asked: Set<string>;
  askedIds: Set<string>;
  /** Ends the wait of the request. */
  letGo: () => void;
  /** Enters a durable run into its store, now or as soon as it begins. */
  enter: () => Promise<void>;
}

/** What a server asks in the middle of a run. */
interface OpenForm {
  id: string;
  question: ServerQuestion;
  signal: AbortSignal;
  settle: (reply: PersonsReply) => void;
  /** A person sees it already, and can answer it without a request that waits. */
  isShown: boolean;
}

export interface LongRunOptions {
  /** How long a request waits; 0: as long as the run takes. */
  detachAfterMs: number;
  calls: CallsInFlight;
  /** Whether the client has a name: its runs are those of all its sessions. */
  isNamed: boolean;
  /** The id of the run of a key, where runs are durable: their log has it under this id, and other processes too. */
  idOf?: ((key: string) => Promise<string>) | undefined;
  /** How long an answer that is not read is kept, in milliseconds. */
  keptMs?: number | undefined;
}

/** For a run that is cancelled to end. */
export const CANCEL_MS = 5000;

/** Makes the runs of one client. */
export function makeLongRuns(options: LongRunOptions): LongRuns {
  const runs = openRuns(options);

  const find = (id: string, session: string): LongRun | undefined => {
    const run = runs.kept.get(id);
    return options.isNamed || run?.session === session ? run : undefined;
  };
  const stop = (run: LongRun): void => {
    run.isCancelled ||= run.ended === undefined;
    run.cancellation.abort();
  };

  return {
    async begin(work, request) {
      const { key } = request;
      const keyedId = key && (await options.idOf?.(key.text));
      const known = keyedId === undefined ? findKeyed(runs, request) : undefined;
      if (known !== undefined)
        return known.call === key?.call ? attend(runs, known.run, request) : { kind: "ended", result: REUSED };
      const run = start(runs, request, work, keyedId);
      if (keyedId === undefined) keepKeyed(runs, run, request);
      const cancel = (): void => void (run.isKeyed || run.cancellation.abort(request.signal.reason));
      if (request.signal.aborted) cancel();
      request.signal.addEventListener("abort", cancel, { once: true });
      try {
        return await attend(runs, run, request);
      } finally {
        request.signal.removeEventListener("abort", cancel);
      }
    },
    async wait(id, request) {
      const run = find(id, request.session);
      return run === undefined ? { kind: "lost" } : attend(runs, run, request);
    },
    async reply(id, reply, request) {
      const run = find(runOfQuestion(id), request.session);
      if (run === undefined) return { kind: "lost" };
      if (!run.asked.has(request.digest())) return undefined;
      if (!run.askedIds.has(id)) return "never-asked";
      const isOpen = run.question?.id === id;
      if (isOpen) run.question?.settle(reply);
      const news = await attend(runs, run, request);
      return isOpen ? news : { ...news, isLate: true };
    },
    async cancel(id, request) {
      const run = find(id, request.session);
      if (run !== undefined) stop(run);
      return run === undefined ? { kind: "lost" } : attend(runs, run, request, Math.max(runs.detachAfterMs, CANCEL_MS));
    },
    look: async (id, session) => find(id, session),
    end(id) {
      const run = runs.kept.get(id);
      if (run !== undefined) stop(run);
    },
    letGo() {
      for (const go of runs.waits) go();
    },
  };
}

const REUSED = toRunResult(failedAnswer([KEY_REUSED]));

/** The run of a key in the memory of this process. */
function findKeyed({ keyed, nameOf }: Runs, request: WaitingRequest): KeyedRun | undefined {
  return request.key && keyed.get(nameOf(request));
}

/** Keeps the run of a key for requests with that key. One that has failed without a call has changed nothing: its key is free. */
function keepKeyed(runs: Runs, run: LongRun, request: WaitingRequest): void {
  const { key } = request;
  if (key === undefined) return;
  const name = runs.nameOf(request);
  runs.keyed.set(name, { run, call: key.call });
  keep(runs, run);
  const free = (): void => {
    if (runs.keyed.get(name)?.run === run) runs.keyed.delete(name);
  };
  run.outcome.then((result) => run.calls === 0 && hasFailed(result) && free(), free);
}

function hasFailed({ structuredContent }: ToolCallResult): boolean {
  const diagnostics = structuredContent?.["diagnostics"];
  return Array.isArray(diagnostics) && diagnostics.some((each) => isJsonObject(each) && each["severity"] === "error");
}

/** Of the runs of one client that no request has read yet, and of the others. */
const MOST_ANSWERS = 16;
const MOST_ANSWER_BYTES = 16 * 1024 * 1024;

/** @param drop called with each run whose answer is not kept any longer */
export function makeAnswerCache(drop: (id: string) => void, keptMs: number = KEPT_MINUTES * 60_000) {
  const bounds = { most: MOST_ANSWERS, mostBytes: MOST_ANSWER_BYTES, keptMs };
  const unread = makeBoundedCache<number>(bounds, drop);
  const read = makeBoundedCache<null>(bounds, drop);
  return {
    /** The run has ended, with this answer; without one it has failed. */
    keep(id: string, answer?: ToolCallResult): void {
      const bytes = answer === undefined ? 0 : JSON.stringify(answer).length;
      unread.keep(id, bytes, bytes);
    },
    /** A request has read the answer, which may be lost on its way: it is kept on, and takes no place of one that no request has read. */
    read(id: string): void {
      const bytes = unread.find(id);
      if (bytes === undefined) return;
      unread.forget(id);
      read.keep(id, null, bytes);
    },
  };
}

type Work = (run: RunInside) => Promise<ToolCallResult>;

/** What the requests of one client share. */
interface Runs extends Pick<LongRunOptions, "detachAfterMs" | "calls"> {
  /** The runs that requests can ask for, by their ids. */
  kept: Map<string, LongRun>;
  /** The runs of keys, by `nameOf`: as long as they are kept. */
  keyed: Map<string, KeyedRun>;
  nameOf(request: WaitingRequest): string;
  /** Each ends the wait of a request. */
  waits: Set<() => void>;
  cache: ReturnType<typeof makeAnswerCache>;
  turnsOf(session: string): Turns;
}

interface KeyedRun {
  run: LongRun;
  /** A digest of what it is to do. */
  call: string;
}

function openRuns({ detachAfterMs, calls, keptMs, isNamed }: LongRunOptions): Runs {
  const kept = new Map<string, LongRun>();
  const keyed = new Map<string, KeyedRun>();
  const drop = (id: string): void => {
    const run = kept.get(id);
    kept.delete(id);
    if (run !== undefined) run.isKept = false;
    for (const [name, each] of keyed) if (each.run === run) keyed.delete(name);
  };
  const people = new Map<string, Turns>();
  return {
    ...{ detachAfterMs, calls, kept, keyed },
    nameOf: ({ session, key }) => JSON.stringify([isNamed ? "" : session, key?.text]),
    waits: new Set(),
    cache: makeAnswerCache(drop, keptMs),
    turnsOf(session) {
      const turns = people.get(session) ?? makeTurns(() => people.delete(session));
      people.set(session, turns);
      return turns;
    },
  };
}

function start(runs: Runs, request: WaitingRequest, work: Work, keyedId?: string): LongRun {
  const { calls, detachAfterMs } = runs;
  const { session } = request;
  let id = keyedId;
  let isIdGiven = false;
  const inTurn = request.asksByResult ? makeTurns() : runs.turnsOf(session);
  const run: LongRun = {
    /** Only runs that outlast their request, or ask, are named. */
    get id() {
      return (id ??= makeRunId());
    },
    isKeyed: request.key !== undefined,
    isKept: false,
    calls: 0,
    session,
    cancellation: new AbortController(),
    outcome: Promise.resolve({ content: [] }),
    begunAt: clock.wall(),
    isDetached: false,
    isCancelled: false,
    logs: [],
    findings: [],
    request,
    question: undefined,
    asked: new Set(),
    askedIds: new Set(),
    letGo: () => undefined,
    enter: async () => void (isIdGiven = true),
  };
  const perform = (): Promise<ToolCallResult> =>
    work({
      id: () => run.id,
      entersLate(enter) {
        run.enter = enter;
        if (isIdGiven) void enter().catch(() => undefined); // what must not be lost fails
      },
      signal: run.cancellation.signal,
      emit(event) {
        if (event.type === "log") run.logs.push(event.entry);
        if (event.type === "call-started") run.calls += 1;
        run.request?.emit(event);
      },
      isDetached: () => run.isDetached,
      ask: (question, aborted, asked) => inTurn(() => askPerson(run, question, aborted, asked)),
      detach(findings) {
        run.findings = findings;
        if (detachAfterMs > 0) run.letGo();
      },
      resume: () => (run.findings = []),
    });
  run.outcome = calls.track(perform, run.cancellation);
  const end = (result?: ToolCallResult): void => {
    run.ended = { at: clock.wall(), ...withoutUndefined({ result }) };
  };
  run.outcome.then(end, () => end()); // each request says so
  return run;
}

function detach(runs: Runs, run: LongRun): void {
  run.isDetached = true;
  keep(runs, run);
}

/** Keeps a run, and its answer for a while. */
function keep({ kept, cache }: Runs, run: LongRun): void {
  if (run.isKept) return;
  run.isKept = true;
  kept.set(run.id, run);
  const keepAnswer = (result?: ToolCallResult): void => cache.keep(run.id, result);
  run.outcome.then(keepAnswer, () => keepAnswer());
}

/** True where the run has ended before the request had to go on. */
function endsInTime({ waits }: Runs, run: LongRun, request: WaitingRequest, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const { signal } = request;
    const stopTimer = waitMs === 0 ? undefined : clock.after(waitMs, () => settle(false));
    const settle = (isOver: boolean): void => {
      // The run of a request that was cancelled ends with it.
      if (!isOver && !run.isDetached && !run.isKeyed && signal.aborted) return;
      stopTimer?.();
      waits.delete(go);
      signal.removeEventListener("abort", go);
      if (run.request === request) run.request = undefined;
      resolve(isOver);
    };
    const go = (): void => settle(false);
    run.request = request;
    run.letGo = go;
    if (waitMs > 0) waits.add(go);
    signal.addEventListener("abort", go, { once: true });
    const end = (): void => settle(true);
    run.outcome.then(end, end);
    if (signal.aborted) go();
    showQuestion(run);
  });
}

async function attend(
  runs: Runs,
  run: LongRun,
  request: WaitingRequest,
  waitMs = request.waitsForEnd === true ? 0 : runs.detachAfterMs,
): Promise<RunNews> {
  const isOver = await endsInTime(runs, run, request, waitMs);
  if (isOver && !(run.isDetached && request.signal.aborted)) {
    if (run.isKept) runs.cache.read(run.id);
    return { kind: "ended", result: await run.outcome };
  }
  detach(runs, run);
  const { question } = run;
  const isGone = request.signal.aborted;
  const away = isGone ? [] : await run.enter().then(() => [], describeUnkept);
  if (question?.isShown === false && !isGone) {
    run.asked.add(request.digest());
    run.askedIds.add(question.id);
    return { kind: "asks", id: question.id, question: question.question };
  }
  const logs = isGone ? [] : run.logs.splice(0);
  return { kind: "continues", id: run.id, logs, findings: [...run.findings, ...away] };
}

/** The run goes on, and only this process knows of it. */
function describeUnkept(error: unknown): Diagnostic[] {
  if (!(error instanceof CodemodeError)) throw error;
  const message = `The run could not be kept: ${error.code}. It is lost if this process ends.`;
  const hint = "Call with the runId. A call of the run that may change something fails, and is not sent.";
  return [{ severity: "warning", code: "RUN_CONTINUES", message, hint }];
}

/** The run of a question: the log of the run has it as `RUN.NUMBER`, and the others are like it. */
export function runOfQuestion(id: string): string {
  return id.split(".", 1)[0] ?? "";
}

function askPerson(run: LongRun, question: ServerQuestion, signal: AbortSignal, id?: string): Promise<PersonsReply> {
  return new Promise((resolve) => {
    const settle = (reply: PersonsReply): void => {
      if (run.question === open) run.question = undefined;
      resolve(reply);
    };
    const known = id ?? `${run.id}.${randomUUID()}`;
    const open: OpenForm = { id: known, question, signal, settle, isShown: false };
    run.question = open;
    if (signal.aborted) settle({ action: "cancel" });
    signal.addEventListener("abort", () => settle({ action: "cancel" }), { once: true });
    showQuestion(run);
  });
}

function showQuestion({ question: open, request, letGo }: LongRun): void {
  if (open === undefined || open.isShown || request === undefined) return;
  const asking = request.ask(open.question, open.signal);
  if (asking === "by-result") return letGo();
  open.isShown = true;
  void asking.then(open.settle);
}
