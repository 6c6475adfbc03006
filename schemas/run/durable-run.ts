import type { JsonObject, JsonValue } from "../json/json.ts";
import type { RunAnswer } from "./answer.ts";
import type { CallDecision } from "./approval.ts";
import type { ServerQuestion } from "./question.ts";
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
  /** Since when it waits; absent where it does not. */
  waitsSince?: number | undefined;
  /** When it goes on by itself. */
  wakeAt?: number | undefined;
  endedAt?: number | undefined;
  /** The code of the error that it is blocked by, or has ended with. */
  error?: string | undefined;
  /** Of a run that is blocked or has ended: `find` gives it, and lists do not. */
  answer?: RunAnswer | undefined;
}

/** A question of a run to a person that no one has answered yet. */
export interface OpenQuestion {
  /** `RUNID.NUMBER`, for ever: the questions of a run are counted from 1. */
  id: string;
  run: string;
  /** As in `RunOverview`. */
  client?: string | undefined;
  script: string;
  /** The folder of its project, where it has one. */
  project?: string | undefined;
  /** Whether it is about one call, about the script before it runs, or a question of a server in the middle of a call. */
  kind: "call" | "script" | "server";
  /** The tools that the script wants to call, as `SERVER/TOOL`: of a call its tool; none where a server asks. */
  tools: readonly string[];
  /** Over all that is shown of this question, and over what makes it this one: an answer that names it counts for no other question. */
  digest: string;
  /** The lines of the question, safe to be shown. */
  lines: readonly string[];
  /** The same with the arguments of the call to their ends, where `lines` shorten them; with code, input and digest of a script. */
  whole?: readonly string[] | undefined;
  /** When it closes, in milliseconds since the epoch; absent for a durable run, which waits as long as that takes. */
  until?: number | undefined;
  /** The processes of the client that asks, where they are on this machine: an answer from below them is the agent's own. */
  clientProcesses?: readonly number[] | undefined;
  /** The public key by which its process verifies answers; empty where no passphrase was set when that began, absent for a durable run. */
  verifiesWith?: string | undefined;
}

/**
 * What becomes of an answer: `given`, also the second time; `answered` where the question has another one, `gone` where it is closed, `wrong` without a
 * proof, `stale` where another question was shown than the one that has the id now.
 */
export type AnswerOutcome = "given" | "answered" | "gone" | "wrong" | "stale";

/** Why a decision is no answer to a question. */
export interface InvalidAnswer {
  problem: string;
}

/**
 * Proves that a person has given an answer: signs a text with what that person alone knows. Undefined where that is wrong.
 * @param verifiesWith as in `OpenQuestion`
 */
export type SignAnswer = (text: string, verifiesWith?: string) => Promise<string | undefined | InvalidAnswer>;

/** What an answer is given with. */
export interface AnswerProof {
  /** By whom the answer is proven to the process that has the run; without it this process vouches for it. */
  sign?: SignAnswer | undefined;
  /** The client in whose form it is given, which counts where that client has begun the run and may approve. */
  form?: { client: string | undefined; mayApprove: boolean } | undefined;
  /** The digest of the question that was shown. */
  digest?: string | undefined;
  /** The folder of the project whose questions alone are answered: `gone` for each other one. */
  project?: string | undefined;
}

/** Something that has happened in a run. The steps of a run are in the order in which they happened. Calls are counted from 1, with questions to the host. */
export type Step =
  /** The script has made a call, at that time of its clock in milliseconds since its start. */
  | { kind: "call"; call: number; serverId: string; toolName: string; inputJson: string; timeMs: number }
  /**
   * A person is asked about a call, about the script before it runs, or for a server in the middle of a call: one question about each at a time. `tools`
   * are the tools that the script may call, as `SERVER/TOOL`; it waits from `at` on. `inputSchema` of a call's tool says which arguments a person may change.
   * `whole` are the lines with the arguments to their ends, where the others shorten them, or with code, input and digest of the script.
   * `nonce` is random: an answer to this question is none to the same question when it is put again.
   */
  | ({
      kind: "asked";
      digest: string;
      nonce: string;
      lines: readonly string[];
      whole?: readonly string[] | undefined;
      /** When it closes by itself: in a run that is not durable. */
      until?: number | undefined;
    } & (
      | { about: "call"; call: number; tools?: readonly string[] | undefined; inputSchema?: JsonValue | undefined }
      | { about: "script"; tools: readonly string[]; at: number }
      | { about: "server"; question: ServerQuestion }
    ))
  /** A person has decided about the question of that number, counted from 1, which is open and has that digest. */
  | { kind: "decided"; number: number; digest: string; decision: CallDecision }
  /** That question is open no more, and has no decision: its time is over, or its run has ended. */
  | { kind: "closed"; number: number; digest: string }
  /** From here on the server may have got the call, with this input. */
  | { kind: "sent"; call: number; input: JsonObject }
  /** The script hears the answer to a call, at that time of its clock. */
  | { kind: "reply"; call: number; timeMs: number; replyJson: string; durationMs: number; isBroken?: true | undefined }
  /** The script hears that a timer has fired. */
  | { kind: "fire"; timer: number; timeMs: number }
  /** The sandbox was given back, after so many milliseconds of work. */
  | { kind: "suspended"; usedMs: number; wakeAt?: number | undefined; at: number }
  /** The run could not go on: its answer says why. It goes on when it is asked to. */
  | { kind: "blocked"; answer: RunAnswer }
  | { kind: "ended"; at: number; answer: RunAnswer; ending: RecordedEnding }
  /** A person lets a run that has failed go on: what these calls were answered with counts for nothing, and no timer after the first of them. */
  | { kind: "retried"; at: number; calls: readonly number[] }
  /** The program begins to take back what a call has done, or has failed to, after the end of the run, which comes once more. */
  | { kind: "undoing"; call: number; hasFailed?: true | undefined }
  /** The program has taken back what a call has done, or the script of the run of this id; the end of the run comes once more. */
  | { kind: "undone"; call: number; undoneBy?: string | undefined };

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
  /** The questions that wait for a person, in all runs. */
  questions(): Promise<OpenQuestion[]>;
  /**
   * Answers one, also of a run that another process has, or no process. An answer that is given again is `given`. A change takes the place of the arguments
   * of the same names.
   * @param id of the question
   * @throws CodemodeError `RUN_HELD` where another process has the run, and nothing vouches for this one there
   */
  answer(id: string, decision: CallDecision, proof?: AnswerProof): Promise<AnswerOutcome | InvalidAnswer>;
  /** Answers a question of a durable run of this process, by its digest; false where it is not open. */
  decide(id: string, digest: string, decision: CallDecision): Promise<boolean>;
}
