import { randomUUID } from "node:crypto";
import { clock } from "../../engine/clock.ts";
import { makeRunId } from "../../engine/run-id.ts";
import type { Diagnostic, LogEntry } from "../../schemas/run/answer.ts";
import type { PersonsReply, ServerQuestion } from "../../schemas/run/question.ts";
import type { Turns } from "../../schemas/turns.ts";
import type { CallsInFlight } from "../agent/calls-in-flight.ts";
import type { ToolCallResult } from "../surface.ts";
import type { RunInside, RunState, WaitingRequest } from "./runs.ts";

/** A run of this process. */
export interface LiveRun extends RunState {
  session: string;
  /** With a key, a request that is gone does not cancel the run: it may be sent again. */
  key: WaitingRequest["key"];
  cancellation: AbortController;
  /** Resolves when it has ended. */
  over: Promise<void>;
  ended?: RunState["ended"];
  isDetached: boolean;
  hasCalled: boolean;
  isCancelled: boolean;
  /** Not yet sent to a request. */
  logs: LogEntry[];
  findings: readonly Diagnostic[];
  /** What waits now, and what ends its wait. */
  waiting: { request: WaitingRequest; stop: () => void } | undefined;
  question: OpenForm | undefined;
  /** The ids of the questions that requests have got as their results, by the digests of the requests. */
  asked: Map<string, string[]>;
  /** Enters a durable run into its store, now or as soon as it begins. */
  enter: () => Promise<void>;
}

/** What is asked in the middle of a run. */
interface OpenForm {
  id: string;
  question: ServerQuestion;
  signal: AbortSignal;
  settle: (reply: PersonsReply) => void;
  /** A person sees it already, and can answer it without a request that waits. */
  isShown: boolean;
}

export type Work = (run: RunInside) => Promise<ToolCallResult>;

/** Starts the work of a request. */
export function startRun(
  work: Work,
  request: WaitingRequest,
  given: {
    calls: CallsInFlight;
    /** Of a durable run with a key: the id that its log has. */
    id: string | undefined;
    /** Puts the questions to its person in order. */
    inTurn: Turns;
    /** Whether its requests may go before it ends. */
    mayDetach: boolean;
  },
): LiveRun {
  const { calls, inTurn, mayDetach } = given;
  let { id } = given;
  let isIdGiven = false;
  const run: LiveRun = {
    /** Only runs that outlast their request, or ask, are named. */
    get id() {
      return (id ??= makeRunId());
    },
    ...{ session: request.session, key: request.key, begunAt: clock.wall() },
    cancellation: new AbortController(),
    over: Promise.resolve(),
    ...{ isDetached: false, hasCalled: false, isCancelled: false },
    ...{ logs: [], findings: [], question: undefined, asked: new Map() },
    waiting: { request, stop: () => undefined },
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
        if (event.type === "call-started") run.hasCalled = true;
        run.waiting?.request.emit(event);
      },
      isDetached: () => run.isDetached,
      ask: (question, aborted, asked) => inTurn(() => askPerson(run, question, aborted, asked)),
      detach(findings) {
        run.findings = findings;
        if (mayDetach) run.waiting?.stop();
      },
      resume: () => (run.findings = []),
    });
  run.over = calls.track(perform, run.cancellation).then(
    (result) => void (run.ended = { at: clock.wall(), result }),
    (error: unknown) => void (run.ended = { at: clock.wall(), error }),
  );
  return run;
}

function askPerson(run: LiveRun, question: ServerQuestion, signal: AbortSignal, id?: string): Promise<PersonsReply> {
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

/** Puts the open question of a run to the request that waits for it: in a form, or by the end of its wait. */
export function showQuestion({ question: open, waiting }: LiveRun): void {
  if (open === undefined || open.isShown || waiting === undefined) return;
  const asking = waiting.request.ask(open.question, open.signal);
  if (asking === "by-result") return waiting.stop();
  open.isShown = true;
  void asking.then(open.settle);
}
