import { randomBytes } from "node:crypto";
import type { Diagnostic, LogEntry } from "../../schemas/run/answer.ts";
import { makeTurns, type Turns } from "../../schemas/turns.ts";
import type { PersonsReply, ServerQuestion } from "../../schemas/run/question.ts";
import type { AskPerson } from "../../engine/open-host.ts";
import type { SurfaceCall, ToolCallResult } from "../surface.ts";
import type { CallsInFlight } from "../agent/calls-in-flight.ts";
import { makeAnswerShelf } from "./answer-shelf.ts";

/** Runs that may outlive the request that began them, of one client. They are in the memory of this process only. */
export interface LongRuns {
  /** Begins a run, and waits for its end. A request that is cancelled before its run is detached cancels the run. */
  begin(work: (run: RunInside) => Promise<ToolCallResult>, request: WaitingRequest): Promise<RunNews>;
  /** Waits again for the end of a run that was detached from its request; its answer is given once. */
  wait(id: string, request: WaitingRequest): Promise<RunNews>;
  /** Gives a person's reply to what such a run asks, and waits for its end. */
  reply(id: string, reply: PersonsReply, request: WaitingRequest): Promise<RunNews>;
  /** Cancels such a run, and waits for its end. */
  cancel(id: string, request: WaitingRequest): Promise<RunNews>;
  /** How such a run stands, without taking its answer; undefined where the session has none of that id. */
  look(id: string, session: string): RunState | undefined;
  /** Cancels such a run, and waits for nothing. */
  end(id: string): void;
}

/** A run that was detached from its request. Times are in milliseconds since the epoch. */
export interface RunState {
  readonly id: string;
  readonly begunAt: number;
  /** Without a result it has failed. */
  readonly ended?: { at: number; result?: ToolCallResult } | undefined;
  readonly isCancelled: boolean;
  /** What it waits for. */
  readonly findings: readonly Diagnostic[];
}

/** The request that waits for a run now. */
export interface WaitingRequest {
  /** The client's session, which alone sees the run. */
  session: string;
  /** Of the client: aborted when it no longer waits. */
  signal: AbortSignal;
  /** What it sees of the run meanwhile. */
  stream: RunStream;
  /** Its answer is not that of a run: it waits as long as the run takes. */
  isPatient?: boolean;
  /** Puts a question of a server to the client's person; `by-result` where that is the answer to the request. */
  ask(question: ServerQuestion, signal: AbortSignal): Promise<PersonsReply> | "by-result";
}

type RunStream = Pick<SurfaceCall, "onLog" | "onToolCall">;

/** What a request learns of a run. */
export type RunNews =
  | { kind: "ended"; result: ToolCallResult }
  /** A person has to answer before it goes on. */
  | { kind: "asks"; id: string; question: ServerQuestion }
  | { kind: "continues"; id: string; logs: LogEntry[]; findings: readonly Diagnostic[] }
  /** Unknown, of another client, or its answer is gone. */
  | { kind: "lost" };

/** A run as its own work sees it. */
export interface RunInside extends RunStream {
  signal: AbortSignal;
  isDetached(): boolean;
  /** Puts questions of servers to the request that waits for the run, then or later. */
  ask: AskPerson;
  /** Puts other questions: a person gets one at a time. */
  inTurn: Turns;
  /** Lets the request go on at once: what the run waits for takes its time. The findings say what that is. */
  detach(findings: readonly Diagnostic[]): void;
  /** What the run waited for has come. */
  resume(): void;
}

interface LongRun extends RunState {
  session: string;
  cancellation: AbortController;
  outcome: Promise<ToolCallResult>;
  isDetached: boolean;
  isCancelled: boolean;
  ended?: RunState["ended"];
  /** Not yet sent to a request. */
  logs: LogEntry[];
  findings: readonly Diagnostic[];
  /** Those that wait now. */
  request: WaitingRequest | undefined;
  question: OpenQuestion | undefined;
  /** Ends the wait of the request. */
  letGo: () => void;
}

/** What a server asks in the middle of a run. */
interface OpenQuestion {
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
  /** How long an answer that is not read is kept, in milliseconds. */
  keptMs?: number;
}

/** For a run that is cancelled to end. */
const CANCEL_MS = 5000;

/** Makes the runs of one client. */
export function makeLongRuns({ detachAfterMs, calls, keptMs }: LongRunOptions): LongRuns {
  const detached = new Map<string, LongRun>();
  const shelf = makeAnswerShelf((id) => detached.delete(id), keptMs);

  const people = new Map<string, Turns>();
  const turnsOf = (session: string): Turns => {
    const turns = people.get(session) ?? makeTurns(() => people.delete(session));
    people.set(session, turns);
    return turns;
  };

  const show = ({ question: open, request, letGo }: LongRun): void => {
    if (open === undefined || open.isShown || request === undefined) return;
    const asking = request.ask(open.question, open.signal);
    if (asking === "by-result") return letGo();
    open.isShown = true;
    void asking.then(open.settle);
  };

  const ask = (run: LongRun, question: ServerQuestion, signal: AbortSignal): Promise<PersonsReply> =>
    new Promise((resolve) => {
      const settle = (reply: PersonsReply): void => {
        if (run.question === open) run.question = undefined;
        resolve(reply);
      };
      const open: OpenQuestion = { question, signal, settle, isShown: false };
      run.question = open;
      if (signal.aborted) settle({ action: "cancel" });
      signal.addEventListener("abort", () => settle({ action: "cancel" }), { once: true });
      show(run);
    });

  const start = (request: WaitingRequest, work: (run: RunInside) => Promise<ToolCallResult>): LongRun => {
    const { session } = request;
    const inTurn = turnsOf(session);
    const run: LongRun = {
      id: randomBytes(16).toString("base64url"),
      session,
      cancellation: new AbortController(),
      outcome: Promise.resolve({ content: [] }),
      begunAt: Date.now(),
      isDetached: false,
      isCancelled: false,
      logs: [],
      findings: [],
      request,
      question: undefined,
      letGo: () => undefined,
    };
    run.outcome = calls.track(run.cancellation.signal, (signal) =>
      work({
        signal,
        onLog(entry) {
          run.logs.push(entry);
          run.request?.stream.onLog(entry);
        },
        onToolCall: (event) => run.request?.stream.onToolCall(event),
        isDetached: () => run.isDetached,
        ask: (question, aborted) => inTurn(() => ask(run, question, aborted)),
        inTurn,
        detach(findings) {
          run.findings = findings;
          if (detachAfterMs > 0) run.letGo();
        },
        resume: () => (run.findings = []),
      }),
    );
    run.outcome.catch(() => undefined); // each request says so
    return run;
  };

  const detach = (run: LongRun): void => {
    if (run.isDetached) return;
    run.isDetached = true;
    detached.set(run.id, run);
    const keep = (result?: ToolCallResult): void => {
      run.ended = { at: Date.now(), ...(result !== undefined && { result }) };
      if (detached.has(run.id)) shelf.keep(run.id, result);
    };
    run.outcome.then(keep, () => keep());
  };

  /** True where the run has ended before the request had to go on. */
  const endsInTime = (run: LongRun, request: WaitingRequest, waitMs: number): Promise<boolean> =>
    new Promise((resolve) => {
      const { signal } = request;
      const timer = waitMs === 0 ? undefined : setTimeout(() => settle(false), waitMs);
      const leave = (): void => void (run.isDetached && settle(false));
      const settle = (isOver: boolean): void => {
        // The run of a request that was cancelled ends with it.
        if (!isOver && !run.isDetached && signal.aborted) return;
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        if (run.request === request) run.request = undefined;
        resolve(isOver);
      };
      run.request = request;
      run.letGo = () => settle(false);
      signal.addEventListener("abort", leave, { once: true });
      const end = (): void => settle(true);
      run.outcome.then(end, end);
      if (signal.aborted) leave();
      show(run);
    });

  const attend = async (
    run: LongRun,
    request: WaitingRequest,
    waitMs = request.isPatient === true ? 0 : detachAfterMs,
  ): Promise<RunNews> => {
    const isOver = await endsInTime(run, request, waitMs);
    if (isOver && !(run.isDetached && request.signal.aborted)) {
      // Of two requests that wait for it one gets the answer.
      if (run.isDetached && !detached.delete(run.id)) return { kind: "lost" };
      shelf.forget(run.id);
      return { kind: "ended", result: await run.outcome };
    }
    detach(run);
    const { question } = run;
    if (question?.isShown === false && !request.signal.aborted)
      return { kind: "asks", id: run.id, question: question.question };
    const logs = request.signal.aborted ? [] : run.logs.splice(0);
    return { kind: "continues", id: run.id, logs, findings: run.findings };
  };

  const find = (id: string, session: string): LongRun | undefined => {
    const run = detached.get(id);
    return run?.session === session ? run : undefined;
  };
  const stop = (run: LongRun): void => {
    run.isCancelled ||= run.ended === undefined;
    run.cancellation.abort();
  };

  return {
    async begin(work, request) {
      const run = start(request, work);
      const cancel = (): void => run.cancellation.abort(request.signal.reason);
      if (request.signal.aborted) cancel();
      request.signal.addEventListener("abort", cancel, { once: true });
      try {
        return await attend(run, request);
      } finally {
        request.signal.removeEventListener("abort", cancel);
      }
    },
    async wait(id, request) {
      const run = find(id, request.session);
      return run === undefined ? { kind: "lost" } : attend(run, request);
    },
    async reply(id, reply, request) {
      const run = find(id, request.session);
      run?.question?.settle(reply);
      return run === undefined ? { kind: "lost" } : attend(run, request);
    },
    async cancel(id, request) {
      const run = find(id, request.session);
      if (run !== undefined) stop(run);
      return run === undefined ? { kind: "lost" } : attend(run, request, Math.max(detachAfterMs, CANCEL_MS));
    },
    look: find,
    end(id) {
      const run = detached.get(id);
      if (run !== undefined) stop(run);
    },
  };
}
