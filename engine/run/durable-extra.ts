import type { Config } from "../../schemas/config/config.ts";
import type { ApprovalKey, ApprovalRequest, ApprovalVerdict, CallDecision } from "../../schemas/run/approval.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import type { DurableRunList, OpenQuestion } from "../../schemas/run/durable-run.ts";
import type { PersonsReply, ServerQuestion } from "../../schemas/run/question.ts";
import type { BatchInputs, SharedBatch } from "./batch-inputs.ts";
import type { Host, RunRequest } from "./host.ts";

/** What a durable run is begun with. An aborted `signal` leaves the run as it is: another process, or a later one, goes on with it. */
export interface DurableRequest extends RunRequest {
  /** The id that the run gets: 22 letters, digits, underscores and dashes. */
  id?: string | undefined;
  /** How long the run waits in its sandbox for a person or a timer, in milliseconds; 10,000 unless given. */
  suspendAfterMs?: number | undefined;
  /** The id of a run that has ended: what it was answered is taken over, up to the first call that this script makes otherwise. Its input is taken too, unless given. */
  from?: string | undefined;
  /** The id of a run that has ended, which this script takes back: its input are the calls of that run, the last first, as `{ call, tool, input, result }`. With `from` it goes on with an earlier try. */
  undo?: string | undefined;
  /** Asked where the run of `from` has changed something by later calls, which are given as SERVER/TOOL: whether this one begins all the same. It does not unless given. */
  mayLeave?: ((calls: readonly string[]) => boolean | Promise<boolean>) | undefined;
  /** Asked where servers of the run of `from` or `undo`, or of one that is retried, are elsewhere now, by their ids: whether it goes on there. It does not unless given. */
  mayMove?: ((servers: readonly string[]) => boolean | Promise<boolean>) | undefined;
  /**
   * Asked where tools of a run that goes on have changed so that its calls may mean something else, as SERVER/TOOL: whether it goes on with them. It does not
   * unless given. A change of words, or one by which a tool takes or gives more, is not asked about.
   */
  mayChange?: ((tools: readonly string[]) => boolean | Promise<boolean>) | undefined;
  /** How long the run waits for a person while nothing else happens, in milliseconds; then it is left as it is. As long as it takes unless given. */
  waitMs?: number | undefined;
  /** Cancels the run for good. */
  cancel?: AbortSignal | undefined;
  /** Called with the id of the run as soon as it is kept; with the time of its end, where its answer is given again and nothing runs. */
  onBegun?: ((id: string, endedAt?: number) => void) | undefined;
  /**
   * Gets, before the script runs, what enters the run into its store: the caller enters it before the id of the run is given to anyone. Until then a run
   * without a key is in the memory of this process, unless something must not be lost: a call that may change something, a question, a suspension. Without
   * this function the run enters before its script runs.
   */
  entersLate?: ((enter: () => Promise<void>) => void) | undefined;
  /** Waited for when the sandbox is given back, and before the run goes on. */
  onSuspended?: ((isSuspended: boolean) => void | Promise<void>) | undefined;
}

/** How a process goes on with a run: as it was begun, but for the script and its input. */
export type ResumeRequest = Omit<
  DurableRequest,
  "script" | "input" | "key" | "limits" | "bundler" | "from" | "undo" | "mayLeave"
>;

/** Durable runs, and how this process goes on with them. */
export interface DurableRuns extends DurableRunList {
  /**
   * Takes back what a run has done that has ended, the last call first, each once.
   * @returns the calls that were taken back
   * @throws CodemodeError `RUN_UNKNOWN`, `RUN_HELD`, `RUN_OPEN`, and what `plan` throws
   */
  undo(id: string, plan: PlanUndo): Promise<DoneCall[]>;
  /**
   * Runs a script to its end, however long it waits meanwhile. Where it does not get to run nothing is kept of it. With the key of an earlier run
   * it goes on with that, or gives its answer.
   */
  begin(request: DurableRequest): Promise<RunAnswer>;
  /** The id of the run that a client begins with a key. */
  idOf(key: string, client: string | undefined): string;
  /**
   * Goes on with a run that no other process has, to its end. Gives the answer of one that has ended.
   * @throws CodemodeError `RUN_UNKNOWN`, `RUN_HELD` where another process has it, `RUN_DAMAGED`
   */
  resume(id: string, request: ResumeRequest): Promise<RunAnswer>;
  /**
   * Lets a run that has failed go on, as `resume` does: calls that were answered with an error after the last other call are made again. One that was
   * cancelled, or taken back, stays as it is.
   * @throws CodemodeError as `resume`, and `RUN_MOVED`
   */
  retry(id: string, request: ResumeRequest): Promise<RunAnswer>;
  /**
   * Goes on with each run that no process has, now and later.
   * @param resumeAs how, by the client; undefined where this process may not go on with its runs
   * @param asksHere whether the requests have a way of their own to ask a person: then runs that wait for one are gone on with too. They are unless given
   * @returns ends it
   */
  watch(
    resumeAs: (client: string | undefined) => ResumeRequest | undefined,
    onFailure: (error: unknown) => void,
    asksHere?: boolean,
  ): () => void;
  /** As in the list; with the id of a run the questions of that one alone. */
  questions(run?: string): Promise<OpenQuestion[]>;
  /** Leaves the runs of this process to others. */
  close(): Promise<void>;
}

/** A call of a run that has succeeded. */
export interface DoneCall {
  /** Counts the calls of the run, from 1. */
  number: number;
  serverId: string;
  toolName: string;
  input: JsonObject;
  /** What the script got. */
  result: JsonValue;
  /** A process has begun to take it back, and has ended: it is not known whether it was taken back. */
  isUnclear?: true | undefined;
}

/** A call of a run that its server got, perhaps, and of which no answer is known. */
export type LostCall = Pick<DoneCall, "number" | "serverId" | "toolName">;

/** Says how each of the calls of a run is taken back; undefined where it is left as it is. */
export type PlanUndo = (
  calls: readonly DoneCall[],
  run: { id: string; key: string; lost: readonly LostCall[] },
) => readonly ((() => Promise<unknown>) | undefined)[];

/** What runs are made with: without `run` none goes on, and without `bundle` none begins. */
export interface DurableHost {
  run?: Host["run"] | undefined;
  bundle?: Host["bundle"] | undefined;
  lockfile?: Host["lockfile"] | undefined;
}

/** The open questions of the runs of this account, in all projects. */
export interface AccountQuestions extends Pick<DurableRuns, "questions" | "answer"> {
  /** What is wrong with runs that cannot be read here, a line each, known when `questions` has resolved. */
  problems(): readonly string[];
  close(): Promise<void>;
}

/** The runs of a process that are not durable, while they ask: people at this account find their questions, and answer them. */
export interface AskingRuns extends Pick<DurableRuns, "questions" | "answer"> {
  /** A run that may ask. Nothing is kept of it before it asks. */
  add(run: { id: string; client: string | undefined }): AskingRun;
  close(): Promise<void>;
}

/** A run that may ask. */
export interface AskingRun {
  /**
   * Puts a question, until the signal aborts. Undefined where it cannot be answered: no passphrase is set, too many wait already, its tools are too many to be
   * read, or it cannot be written.
   */
  ask(request: ApprovalRequest, asked: Until): Promise<PutAside | undefined>;
  /** The same for a question of a server. */
  askForServer(question: ServerQuestion, asked: Until): Promise<PutAside<PersonsReply> | undefined>;
  /** The run has ended: nothing is left of its questions. */
  end(): Promise<void>;
}

/** How long a question waits. */
export interface Until {
  /** When it closes, for people who read it, in milliseconds since the epoch. */
  until: number;
  signal: AbortSignal;
}

export interface PutAside<Verdict = ApprovalVerdict | CallDecision> {
  /** `RUN.NUMBER`. */
  id: string;
  /** `closed`, or `cancel` to a server, where no one has answered. */
  verdict: Promise<Verdict>;
}

export interface AskingOptions {
  /** What the answers of the person at this account are verified with; without it no question is put, unless it can be answered in this process. */
  key: Promise<ApprovalKey | undefined>;
  /** Whether the operator answers in this process. */
  isAnsweredHere: boolean;
  /** As in `OpenQuestion`. */
  clientProcesses?: readonly number[] | undefined;
  /** Receives why questions cannot be written. */
  onFailure(error: unknown): void;
}

/** What keeps runs so that they survive the end of a process. */
export interface DurableExtra {
  /** Opens the durable runs of a project: in PostgreSQL where `serve.store` is that, else in the state folder of this account. */
  openDurableRuns(config: Config, host: DurableHost, env?: NodeJS.ProcessEnv): Promise<DurableRuns>;
  /** Opens what runs of a project that are not durable ask with: in files of this account. */
  openAskingRuns(config: Config, options: AskingOptions, env?: NodeJS.ProcessEnv): Promise<AskingRuns>;
  /**
   * Opens the questions of all runs in files of this account, and of a project's store.
   * @param config of the project where the user is, if there is one: runs of another project are read where they are not encrypted
   */
  openAccountQuestions(config: Config | undefined, env?: NodeJS.ProcessEnv): Promise<AccountQuestions>;
  /**
   * Opens a batch in `serve.store`; undefined where the project has no store. The durable runs that this process opens until it is closed share its lease.
   * @throws CodemodeError `BATCH_UNKNOWN`, `STORE_INVALID`, `STORE_UNREACHABLE`
   */
  openBatch(config: Config, batch: SharedBatch, env?: NodeJS.ProcessEnv): Promise<BatchInputs | undefined>;
}
