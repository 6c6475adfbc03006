import type { JsonObject } from "../json/json.ts";
import type { RunAnswer } from "./answer.ts";
import type { CallDecision } from "./approval.ts";
import type { RecordedEnding, Recording } from "./recording.ts";

/**
 * How a durable run stands. `running` in a process that is alive; `interrupted` where that is gone; `waiting` for a person or a timer, without a
 * sandbox; `blocked` where its answer says why it cannot go on; `damaged` where it cannot be read.
 */
export type DurableState = "running" | "waiting" | "interrupted" | "blocked" | "ended" | "damaged";

/** A durable run as it is listed. Of a damaged one only its id is known. */
export interface RunOverview {
  id: string;
  /** The idempotency key. */
  key: string;
  /** The client of `serve` that has begun it; absent for the operator. */
  client?: string | undefined;
  /** The name of its script. */
  script: string;
  /** Milliseconds since the epoch, like the other times. */
  begunAt: number;
  state: DurableState;
  /** How many calls it has made. */
  calls: number;
  /** What a person is asked: the lines of each question. */
  questions: readonly (readonly string[])[];
  /** Since when it waits; absent where it does not, and in runs of earlier versions. */
  waitsSince?: number | undefined;
  /** When it goes on by itself. */
  wakeAt?: number | undefined;
  endedAt?: number | undefined;
  /** The code of the error that it is blocked by, or has ended with. */
  error?: string | undefined;
  /** Of a run that is blocked or has ended: `find` gives it, and lists do not. */
  answer?: RunAnswer | undefined;
}

/** Something that has happened in a run. The steps of a run are in the order in which they happened. Calls are counted from 1, with questions to the host. */
export type Step =
  /** The script has made a call, at that time of its clock in milliseconds since its start. Runs of earlier versions have no time. */
  | { kind: "call"; call: number; serverId: string; toolName: string; inputJson: string; timeMs?: number | undefined }
  /** A person is asked about a call. */
  | { kind: "asked"; call: number; digest: string; lines: readonly string[] }
  /** A person has decided about the question before. */
  | { kind: "decided"; call: number; digest: string; decision: CallDecision }
  /** From here on the server may have got the call, with this input. */
  | { kind: "sent"; call: number; input: JsonObject }
  /** The script hears the answer to a call, at that time of its clock. */
  | { kind: "reply"; call: number; timeMs: number; replyJson: string; durationMs: number; isBroken?: true | undefined }
  /** The script hears that a timer has fired. */
  | { kind: "fire"; timer: number; timeMs: number }
  /** The sandbox was given back, after so many milliseconds of work; `at` is absent in runs of earlier versions. */
  | { kind: "suspended"; usedMs: number; wakeAt?: number | undefined; at?: number | undefined }
  /** The run could not go on: its answer says why. It goes on when it is asked to. */
  | { kind: "blocked"; answer: RunAnswer }
  /** Runs of earlier versions have no `ending`, which a recording has. */
  | { kind: "ended"; at: number; answer: RunAnswer; ending?: RecordedEnding | undefined }
  /** A person lets a run that has failed go on: what these calls were answered with counts for nothing, and no timer after the first of them. */
  | { kind: "retried"; at: number; calls: readonly number[] }
  /** The program begins to take back what a call has done, or has failed to, after the end of the run, which comes once more. */
  | { kind: "undoing"; call: number; hasFailed?: true | undefined }
  /** The program has taken back what a call has done; the end of the run comes once more. */
  | { kind: "undone"; call: number };

/** A step of one kind. */
export type StepOf<Kind extends Step["kind"]> = Extract<Step, { kind: Kind }>;

/** The durable runs of a project, those of other processes too. */
export interface DurableRunList {
  /** @throws CodemodeError `RUN_UNKNOWN`, `RUN_DAMAGED` */
  find(id: string): Promise<RunOverview>;
  /**
   * The runs, the oldest first, without their answers.
   * @throws CodemodeError where the store cannot be used: no run is left out
   */
  list(): Promise<RunOverview[]>;
  /** What has happened in a run so far. */
  steps(id: string): Promise<readonly Step[]>;
  /** A run as a recording, which `codemode replay` reads; of one that has not ended, as far as it has come. */
  recording(id: string): Promise<Recording>;
  /** Cancels a run: here at once, elsewhere as soon as its process looks, and one that no process has before it goes on. */
  cancel(id: string): Promise<void>;
  /** Removes a run that has ended, or is damaged. Gives how many. */
  remove(id: string): Promise<number>;
  /** Removes the runs that ended before a time, in milliseconds since the epoch. Gives how many. */
  prune(before: number): Promise<number>;
  /** Answers a question of a run of this process, by its digest; false where it is not open. */
  decide(id: string, digest: string, decision: CallDecision): Promise<boolean>;
}
