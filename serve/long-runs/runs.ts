import type { Diagnostic, LogEntry } from "../../schemas/run/answer.ts";
import type { Turns } from "../../schemas/turns.ts";
import type { AskPerson } from "../../engine/open-host.ts";
import type { PersonsReply, ServerQuestion } from "../../schemas/run/question.ts";
import type { RunStream } from "../../schemas/run/observer.ts";
import type { ToolCallResult } from "../surface.ts";

/** Runs that may outlive the request that began them, of one client: those of this process, or with a store of all replicas. */
export interface LongRuns {
  /** Begins a run, and waits for its end. A request that is cancelled before its run is detached cancels the run. */
  begin(work: (run: RunInside) => Promise<ToolCallResult>, request: WaitingRequest): Promise<RunNews>;
  /** Waits again for the end of a run that was detached from its request; its answer can be read again for a while. */
  wait(id: string, request: WaitingRequest): Promise<RunNews>;
  /** Gives a person's reply to the question of that number, and waits for the run's end; `late` where that question is not open any more. */
  reply(id: string, number: number, reply: PersonsReply, request: WaitingRequest): Promise<RunNews>;
  /** Cancels such a run, and waits for its end. */
  cancel(id: string, request: WaitingRequest): Promise<RunNews>;
  /** How such a run stands, without taking its answer; undefined where the session has none of that id. */
  look(id: string, session: string): Promise<RunState | undefined>;
  /** Cancels such a run, and waits for nothing. */
  end(id: string): void | Promise<void>;
  /** Answers the requests that wait for runs now with the ids of these, and lets the runs go on. */
  letGo(): void;
}

/** A run that was detached from its request. Times are in milliseconds since the epoch. */
export interface RunState {
  readonly id: string;
  readonly begunAt: number;
  /** Without a result it has failed. */
  readonly ended?: { at: number; result?: ToolCallResult | undefined } | undefined;
  readonly isCancelled: boolean;
  /** What it waits for. */
  readonly findings: readonly Diagnostic[];
  /** What a person has to answer; questions of a run are counted from 1. */
  readonly question?: { readonly number: number; readonly question: ServerQuestion } | undefined;
}

/** The request that waits for a run now. */
export interface WaitingRequest {
  /** The client's session: of a client without a name, it alone sees the run. */
  session: string;
  /** Of the client: aborted when it no longer waits. */
  signal: AbortSignal;
  /** What it sees of the run meanwhile. */
  stream: RunStream;
  /** Its answer is no run's: it waits as long as the run takes. */
  waitsForEnd?: boolean | undefined;
  /** The idempotency key of its run, with a digest of what the run is to do. */
  key?: { text: string; call: string } | undefined;
  /** Puts a question of a server to the client's person; `by-result` where that is the answer to the request. */
  ask(question: ServerQuestion, signal: AbortSignal): Promise<PersonsReply> | "by-result";
}

/** What a request learns of a run. */
export type RunNews =
  | { kind: "ended"; result: ToolCallResult }
  /** A person has to answer before it goes on. */
  | { kind: "asks"; id: string; number: number; question: ServerQuestion }
  /** The question was answered, or its time was over: the run has not got this reply. */
  | { kind: "late"; id: string }
  | { kind: "continues"; id: string; logs: LogEntry[]; findings: readonly Diagnostic[] }
  /** Unknown, of another client, or its answer is gone. */
  | { kind: "lost" };

/** A run as its own work sees it. */
export interface RunInside {
  /** The id by which it is asked for later. */
  id(): string;
  /** Takes what enters a durable run into its store: its id is given to a client only after that. */
  entersLate(enter: () => Promise<void>): void;
  signal: AbortSignal;
  /** Receives what the run does meanwhile. */
  stream: RunStream;
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
