import type { Integrity } from "../../schemas/lock/integrity.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import type { RunLimits } from "../../schemas/config/config-file.ts";
import type { CallDecision } from "../../schemas/run/approval.ts";
import type { RunOverview, Step } from "../../schemas/run/durable-run.ts";
import type { ReplayableStart } from "../../schemas/run/protocol.ts";
import type { Recording } from "../../schemas/run/recording.ts";

// What is kept of runs, and the contract of what keeps it.

/** By the id of a server: a digest of where its calls go. */
export interface ServerTargets {
  readonly [serverId: string]: Integrity;
}

/** The format that this version writes and reads. */
export const DURABLE_VERSION = 1;

/** A tool as it was when a run began. */
export interface ToolThen {
  serverId: string;
  tool: LockedTool;
}

/** What is kept of each run that has questions. Nothing of it changes. */
export interface KeptRun {
  durableVersion: typeof DURABLE_VERSION;
  /** 22 characters: 128 random bits, or made of the client and its key. */
  id: string;
  /** The idempotency key; empty where it has none. */
  key: string;
  /** As in `Access`. */
  client?: string | undefined;
  /** The folder of its project, where it has one. */
  project?: string | undefined;
  /** The name of the script, for instance `report.ts`. */
  script: string;
  /** Milliseconds since the epoch. */
  begunAt: number;
  /** Of a run that is not durable: the processes of its client, where that runs on this machine. An answer from below them is the agent's own. */
  clientProcesses?: readonly number[] | undefined;
  /** Of a run that is not durable: the public key that its process verifies answers with; empty where no passphrase was set when it began. */
  verifiesWith?: string | undefined;
}

/** What a durable run is begun with, so that any process can go on with it. */
export interface DurableRun extends KeptRun {
  /** A digest of the script and its input. */
  work: string;
  /** The run whose first steps were taken over. */
  from?: string | undefined;
  /** As `programOf`: all that the author has written. */
  program: Integrity;
  /** The text of the pinned bundle: the script with all that it imports, and the tools that it may call. */
  pinned: string;
  input: JsonValue;
  /** Where the calls of each server that it may use go. */
  servers: ServerTargets;
  /** The tools that it may call, as they were locked then. */
  tools: readonly ToolThen[];
  /** Those servers, with the integrity that they were locked with. */
  locked: Recording["servers"];
  limits: RunLimits;
  start: ReplayableStart;
  /** The machine on which it began, and its `steadyMs` then. */
  begunOn: { machine: string; steadyMs: number };
  /** The digest of the request by which a person has approved the script, where one was asked. */
  approved?: string | undefined;
  madeBy: { codemode: string; node: string };
}

/** What is read of a run that some process may be at work on. */
export interface StoredRun<Run extends KeptRun = DurableRun> {
  run: Run;
  steps: readonly Step[];
  /** Whether a process that is alive has it. */
  isOwned: boolean;
  /** How long ago it was begun, in milliseconds, by the clock of the store where that has one. */
  ageMs?: number | undefined;
}

/** How a run stands that a process has let go of, as its store keeps it beside the steps: lists and looks for free runs need no steps. */
export interface RunHead extends Omit<RunOverview, "answer"> {
  state: RestingState;
  /** How long it was to wait for its time, in milliseconds. */
  restMs?: number | undefined;
}

export const RESTING_STATES = ["waiting", "blocked", "ended"] as const;

export type RestingState = (typeof RESTING_STATES)[number];

/** Why a run does not go on by itself. */
export type Rest = "blocked" | "over";

/** What a person has decided about a question of a run, left for the process that has the run, or for the next one. */
export interface RunMessage {
  /** Counts the questions of the run, from 1. */
  question: number;
  /** The digest of the question that was shown: the message counts for no other one that has the number. */
  digest: string;
  decision: CallDecision;
  /** Of the person, over the question and the decision; a refusal needs none. */
  signature?: string | undefined;
}

/** A message that is there. */
export interface LeftMessage {
  run: string;
  /** By which it is removed. */
  name: string;
  message: RunMessage;
}

/** A run keeps so many messages: what a program leaves beyond that is refused. */
export const MOST_MESSAGES = 1000;

/** Where runs are kept. Every function rejects with a `CodemodeError` where the store cannot be used, or a run in it is damaged. */
export interface DurableStore<Run extends KeptRun = DurableRun> {
  /** The project whose runs these are, where others use the same store. */
  scope?: string | undefined;
  /** Keeps a new run with its first steps, which is this process's own from the start. `held` where there is one of that id. */
  create(run: Run, steps?: readonly Step[]): Promise<OwnedRun<Run> | "held">;
  /**
   * Makes a run this process's own. `held` where another process that is alive has it, or has just taken it; undefined where there is none.
   */
  claim(id: string): Promise<OwnedRun<Run> | "held" | undefined>;
  read(id: string): Promise<StoredRun<Run> | undefined>;
  /** Whether a process that is alive has a run. It reads no journal: callers that wait for a run ask all the time. */
  isOwned(id: string): Promise<boolean>;
  /** Another text after each change of a run, also of its process; undefined where there is none. It reads no journal. */
  stampOf?(id: string): Promise<string | undefined>;
  /** Removes what processes have left that were killed before they had begun a run. */
  sweep?(): Promise<void>;
  /** All runs, the oldest first. It reads no journals: a run that was not let go of has no head. */
  list(): Promise<ListedRun[]>;
  /** The head of one run, as in the list. */
  head(id: string): Promise<RunHead | undefined>;
  /** The runs that could go on and that no process has; runs that do not wait come first, the oldest of them first. It reads no journals either. */
  listFree(): Promise<readonly FreeRun[]>;
  /** Asks the process that has the run to cancel it. */
  cancel(id: string): Promise<void>;
  /** Which of these runs are to be cancelled. */
  cancelled(ids: readonly string[]): Promise<string[]>;
  /** Whether a message can come only from a process with the key of the store. */
  isSealed: boolean;
  /** Leaves a message for a run; false where there is no such run, or too many are there. */
  leave(id: string, message: RunMessage): Promise<boolean>;
  /** What is left for these runs, the oldest first. */
  messages(ids: readonly string[]): Promise<LeftMessage[]>;
  /** Removes messages that were read. */
  discard(messages: readonly LeftMessage[]): Promise<void>;
  /** Removes a run that no process has. */
  remove(id: string): Promise<void>;
  /** Removes a run that its last process has left as `over`; false where there is none, or another process has claimed it since. */
  removeOver(id: string): Promise<boolean>;
  /** Gives all runs of this process back. */
  close(): Promise<void>;
}

export interface ListedRun {
  id: string;
  /** As its last process has left it; absent where one may have it, and where its steps may say more. */
  head?: RunHead | undefined;
}

/** A run that no process has. */
export interface FreeRun {
  id: string;
  /** Counts its claims: another one for each of its rests. */
  token?: number | undefined;
  /** What it waits for; absent where it only waits for a process, and where its steps may say more. */
  wait?: RunWait | undefined;
  /** Whether something has come for it that it does not know of. */
  hasCome?: boolean | undefined;
}

/** What a run waits for: a person, a time, or both. */
export interface RunWait {
  isAsked: boolean;
  /** When it goes on by itself, in milliseconds since the epoch, and how long that was to take. */
  wakeAt?: number | undefined;
  restMs?: number | undefined;
}

/** A run that this process may work on until another process has taken it. */
export interface OwnedRun<Run extends KeptRun = DurableRun> {
  run: Run;
  /** What has happened so far. */
  readonly steps: readonly Step[];
  /**
   * Adds steps, in the order of the calls of this function. It resolves when they survive the end of this process; with `isFlushed`, the end of the
   * machine too. With `withinMs` they are kept with the next ones, at the latest after so many milliseconds. Rejects with a `RunTaken` where another
   * process has the run, and with a `CodemodeError`.
   */
  append(steps: readonly Step[], isFlushed?: boolean, withinMs?: number): Promise<void>;
  /** Whether it has entered its store: else it is in the memory of this process alone. */
  isKept(): boolean;
  /** Of a run that is over: it enters its store no more. Resolves to whether it is there, when what may be entering it is done. */
  closeEntry(): Promise<boolean>;
  /** Whether it is to be cancelled, as far as that was said before it was claimed or last added to. */
  isCancelled(): boolean;
  /** Throws a `RunTaken` where this process was silent for so long that another one may have the run. */
  assertOwned(): void;
  /** Lets other processes have it. One that is `over` does not go on, and one that is `blocked` when it is claimed. */
  release(rest?: Rest): Promise<void>;
}

/** Another process has the run, or may have it: nothing that this one does for it counts any more. */
export class RunTaken extends Error {
  override readonly name = "RunTaken";

  constructor() {
    super("Another process has taken over the run");
  }
}

/** A process that was not heard of for so long does not own its runs any more, in milliseconds. */
export const LEASE_MS = 10_000;
