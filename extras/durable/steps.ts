import { parseJsonObject } from "../../schemas/json/json.ts";
import type { Diagnostic, RunAnswer } from "../../schemas/run/answer.ts";
import type { RunOverview, Step } from "../../schemas/run/durable-run.ts";
import { foldRun, openQuestions, stateOfRun } from "../../schemas/run/fold-run.ts";
import type { RecordedEnding } from "../../schemas/run/recording.ts";
import { durableRunDamaged } from "./durable-errors.ts";
import {
  DURABLE_VERSION,
  type KeptRun,
  type Rest,
  RESTING_STATES,
  type RestingState,
  type RunHead,
  type RunWait,
  type StoredRun,
} from "./kept-runs.ts";

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

/** What a run waits for that rests; undefined where nothing of that is known. */
export function waitOf({ state, questions, wakeAt, restMs }: RunHead): RunWait | undefined {
  const isAsked = questions.length > 0;
  return state === "waiting" && (isAsked || wakeAt !== undefined) ? { isAsked, wakeAt, restMs } : undefined;
}
