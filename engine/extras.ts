// The extras that the core loads by their names, and what it expects of them.
import type { Config } from "../schemas/config/config.ts";
import type { ServerChange } from "../schemas/diff/diff-lockfiles.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { ResultShape } from "../schemas/observed/result-shape.ts";

export { type ExtraName, findExtra, loadExtra } from "./process/load-extra.ts";
export type { AccountQuestions, AskingRun, AskingRuns, DurableExtra, DurableRuns, Until } from "./run/durable-extra.ts";
export type { DoneCall, LostCall, PlanUndo, ResumeRequest } from "./run/durable-extra.ts";
export type { RunOverview, Step } from "../schemas/run/durable-run.ts";
export type { RecordExtra, RecordRequest, RunRecorder } from "./run/record-extra.ts";

/** The shapes that the runs of one process leave behind for `codemode learn`. */
export interface ShapeCollector {
  add(tool: { serverId: string; toolName: string }, shape: ResultShape): void;
  /** Writes what came since the last time, and ends. */
  close(): Promise<void>;
}

/** What learns the shapes of results. */
export interface LearnExtra {
  collectShapes(project: string, lockfile: () => Lockfile): ShapeCollector;
  /** What `codemode learn` would change, of class `observed`. Rejects as it does. */
  findPending(config: Config): Promise<readonly ServerChange[]>;
}
