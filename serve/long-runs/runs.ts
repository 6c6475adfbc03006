import type { Diagnostic, LogEntry } from "../../schemas/run/answer.ts";
import type { AskPerson } from "../../engine/open-host.ts";
import type { PersonsReply, ServerQuestion } from "../../schemas/run/question.ts";
import type { Emit, RunEvent } from "../../schemas/run/events.ts";
import type { ToolCallResult } from "../surface.ts";

/** Runs that may outlive the request that began them, of one client: of this process, and where runs are durable of other processes. */
export interface LongRuns {
  /** Begins a run, and waits for its end. A request that is cancelled before its run is detached cancels the run. */
  begin(work: (run: RunInside) => Promise<ToolCallResult>, request: WaitingRequest): Promise<RunNews>;
  /** Waits again for the end of a run that was detached from its request; its answer can be read again for a while. */
  wait(id: string, request: WaitingRequest): Promise<RunNews>;
  /**
   * Gives a person's reply to a question, and waits for its run's end. A reply to one that is not open any more counts for nothing (`isLate`).
   * Undefined where another request has got the question than brings the reply back, and "never-asked" where none has.
   * @param id of the question
   */
  reply(id: string, reply: PersonsReply, request: WaitingRequest): Promise<RunNews | "never-asked" | undefined>;
  /** Cancels such a run, and waits for its end. */
  cancel(id: string, request: WaitingRequest): Promise<RunNews>;
  /** How such a run stands, without taking its answer; undefined where the session has none of that id. */
  look(id: string, session: string): Promise<RunState | undefined>;
  /** Cancels such a run, and does not wait for its end. */
  end(id: string, session: string): Promise<void>;
  /** Answers the requests that wait for runs now with the ids of these, and lets the runs go on. */
  letGo(): void;
}

/** A run that was detached from its request. Times are in milliseconds since the epoch. */
export interface RunState {
  readonly id: string;
  readonly begunAt: number;
  /** Without a result it has failed, with this error. */
  readonly ended?: { at: number; result?: ToolCallResult; error?: unknown } | undefined;
  readonly isCancelled: boolean;
  /** What it waits for. */
  readonly findings: readonly Diagnostic[];
  /** It does not go on before a person has seen to it: no request waits for it. */
  readonly isLeft?: boolean | undefined;
}

/** The request that waits for a run now. */
export interface WaitingRequest {
  /** The client's session: of a client without a name, it alone sees the run. */
  session: string;
  /** Of the client: aborted when it no longer waits. */
  signal: AbortSignal;
  /** Receives what happens in the run meanwhile. */
  emit: Emit<RunEvent>;
  /** Its answer is no run's: it waits as long as the run takes. */
  waitsForEnd?: boolean | undefined;
  /** The idempotency key of its run, with a digest of what the run is to do. */
  key?: { text: string; call: string } | undefined;
  /** Of what it asks for: the request that brings an answer back asks for the same. */
  digest: () => string;
  /** Questions are results of requests, which the client puts in order; else a person gets one at a time. */
  asksByResult: boolean;
  /** Puts a question of a server to the client's person; `by-result` where that is the answer to the request. */
  ask(question: ServerQuestion, signal: AbortSignal): Promise<PersonsReply> | "by-result";
}

/** What a request learns of a run. */
export type RunNews = (
  | { kind: "ended"; result: ToolCallResult }
  /** A person has to answer the question of that id before it goes on. */
  | { kind: "asks"; id: string; question: ServerQuestion }
  | { kind: "continues"; id: string; logs: LogEntry[]; findings: readonly Diagnostic[] }
  /** Unknown, of another client, or its answer is gone. */
  | { kind: "lost" }
) & {
  /** The question that the request answers was answered before, or its time was over: the run has not got this reply. */
  isLate?: true;
};

/** A run as its own work sees it. */
export interface RunInside {
  /** The id by which it is asked for later. */
  id(): string;
  /** Takes what enters a durable run into its store: its id is given to a client only after that. */
  entersLate(enter: () => Promise<void>): void;
  signal: AbortSignal;
  /** Receives what happens in the run. */
  emit: Emit<RunEvent>;
  isDetached(): boolean;
  /**
   * Puts questions to the request that waits for the run, then or later.
   * @param id of a question that the log of the run has; one of its own unless given
   */
  ask(...asked: [...Parameters<AskPerson>, id?: string]): ReturnType<AskPerson>;
  /** Lets the request go on at once: what the run waits for takes its time. The findings say what that is. */
  detach(findings: readonly Diagnostic[]): void;
  /** What the run waited for has come. */
  resume(): void;
}
