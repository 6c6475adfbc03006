import type { RunOverview, Step } from "../../schemas/run/durable-run.ts";
import type { Integrity } from "../../schemas/lock/integrity.ts";
import { type JsonValue, parseJsonObject } from "../../schemas/json/json.ts";
import type { Diagnostic, RunAnswer } from "../../schemas/run/answer.ts";
import type { RunLimits } from "../../schemas/config/config-file.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import { durableRunDamaged } from "./durable-errors.ts";
import type { ServerTargets } from "./targets.ts";
import type { ReplayableStart } from "../../schemas/run/protocol.ts";
import type { RecordedEnding, Recording } from "../../schemas/run/recording.ts";
import { foldRun, openQuestions, stateOfRun } from "../../schemas/run/fold-run.ts";

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

/** What was read, and not looked at yet. */
type Unread<Shape> = { readonly [Name in keyof Shape]?: unknown };

/** Reads what a run was begun with. Throws a `CodemodeError` where it is none, or belongs to another run or a newer version. */
export function parseRun(id: string, text: string): KeptRun {
  const run: Unread<KeptRun> | undefined = parseJsonObject(text);
  if (run === undefined) throw durableRunDamaged(id, "its beginning is no JSON");
  if (run.durableVersion !== DURABLE_VERSION) throw durableRunDamaged(id, "another version of codemode has written it");
  if (run.id !== id) throw durableRunDamaged(id, "it has the name of another run");
  return run as KeptRun;
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

export function overviewOf({ run, steps, isOwned }: StoredRun<KeptRun>): RunOverview {
  const { id, key, client, script, begunAt } = run;
  const folded = foldRun(steps);
  const { calls, end, answer, wakeAt, waitsSince } = folded;
  return {
    ...{ id, key, client, script, begunAt, answer, wakeAt, endedAt: end?.at },
    state: stateOfRun(folded, isOwned),
    calls: [...calls.values()].filter(({ call }) => call !== undefined).length,
    questions: openQuestions(folded).map(({ lines }) => lines),
    waitsSince,
    error: answer?.diagnostics.find(({ severity }) => severity === "error")?.code,
  };
}

/** How a run stands that a process has let go of, as its store keeps it beside the steps: lists and looks for free runs need no steps. */
export interface RunHead extends Omit<RunOverview, "answer"> {
  state: RestingState;
  /** How long it was to wait for its time, in milliseconds. */
  restMs?: number | undefined;
}

export const RESTING_STATES = ["waiting", "blocked", "ended"] as const;

type RestingState = (typeof RESTING_STATES)[number];

/** Why a run does not go on by itself. */
export type Rest = "blocked" | "over";

/** By the rest that a process leaves a run with: the state in which it rests. */
const STATE_OF_REST = { blocked: "blocked", over: "ended", none: "waiting" } as const;

/** The head of a run; undefined where it does not rest: the next process that looks goes on with it. */
export function headOf(run: KeptRun, steps: readonly Step[], rest: Rest | undefined): RunHead | undefined {
  const { answer: _answer, state, ...overview } = overviewOf({ run, steps, isOwned: false });
  if (state !== STATE_OF_REST[rest ?? "none"]) return undefined;
  const last = steps.at(-1);
  const restMs = last?.kind === "suspended" && last.wakeAt !== undefined ? last.wakeAt - last.at : undefined;
  return { ...overview, state, restMs };
}

/** Reads a head that a store has kept; undefined where it is none, or of another run: the steps of the run say how it stands. */
export function parseHead(id: string, text: string): RunHead | undefined {
  const head: Unread<RunHead> | undefined = parseJsonObject(text);
  const isWhole = head?.id === id && isResting(head.state) && Array.isArray(head.questions);
  return isWhole ? (head as RunHead) : undefined;
}

function isResting(state: unknown): state is RestingState {
  return (RESTING_STATES as readonly unknown[]).includes(state);
}

/** How an attempt of a run has ended. `blocked`: the script did not get to run. `taken`: another process has the run, or what it does cannot be kept. */
export type AttemptEnd =
  | { kind: "ended"; answer: RunAnswer; ending: RecordedEnding }
  | { kind: "blocked"; answer: RunAnswer }
  | { kind: "suspended"; restMs: number | undefined }
  | { kind: "taken"; why: unknown };

/** Why a sandbox is ended before its script has come to an end: the finding is the end of the run. */
export interface Stop {
  end?: Exclude<AttemptEnd, { answer: RunAnswer }>;
  finding?: Diagnostic;
}
