import type { LostCall } from "../../engine/run/durable-extra.ts";
import { CodemodeError, unlessCode } from "../../schemas/codemode-error.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { listSome } from "../../schemas/list-some.ts";

// Errors of durable runs, sorted by name.

/** The batch of a store has other inputs than the given ones. */
export const batchDiffers = (name: string, place: string): CodemodeError =>
  new CodemodeError(
    "BATCH_DIFFERS",
    2,
    `The batch "${name}" in ${place} has other inputs.`,
    "Give these inputs a batch of their own with --batch NAME, or leave out --inputs to take part in that one.",
  );

/** The store has no such batch of the script. */
export const batchUnknown = (name: string, place: string): CodemodeError =>
  new CodemodeError(
    "BATCH_UNKNOWN",
    2,
    `There is no batch "${name}" of this script with these limits in ${place}.`,
    "Enter its inputs with --inputs FILE, or check --batch, the script and the limits.",
  );

/** What is kept of a run was changed, or is of another version. */
export const durableRunDamaged = (id: string, problem: string): CodemodeError =>
  new CodemodeError(
    "RUN_DAMAGED",
    1,
    `The run ${id} cannot be read: ${problem}.`,
    "It does not go on. Its folder, or its rows, show what it has called. Run the rest as a new run.",
  );

/** For `catch`: undefined where a run is damaged. */
export const unlessDamaged = unlessCode("RUN_DAMAGED");

/** Another process has the run. */
export const durableRunHeld = (id: string): CodemodeError =>
  new CodemodeError(
    "RUN_HELD",
    1,
    `Another process has the run ${id}.`,
    "Wait for it, or end that process: its runs are free a few seconds later.",
  );

/** A run that has ended would be gone on with, or taken back, at other servers than it has called. */
export const durableRunElsewhere = (id: string, why: string): CodemodeError =>
  new CodemodeError(
    "RUN_MOVED",
    1,
    `The run ${id} stays as it is: ${why}.`,
    "In a terminal you are asked whether that is right; in the library give `mayMove`.",
  );

/** What a process would go on with by itself may be meant for other servers than it has. */
export const durableRunMoved = (id: string, why: string): CodemodeError =>
  new CodemodeError(
    "RUN_MOVED",
    1,
    `The run ${id} does not go on by itself: ${why}.`,
    `Go on with it by \`codemode runs ${id} --resume\` where that is right; else end it by \`codemode runs ${id} --cancel\`.`,
  );

/** A run that has not ended is to be removed. */
export const durableRunOpen = (id: string): CodemodeError =>
  new CodemodeError(
    "RUN_OPEN",
    2,
    `The run ${id} has not ended.`,
    `Cancel it first with \`codemode runs ${id} --cancel\`.`,
  );

/** The `undo` of a call has failed; calls after it are taken back already. */
export function undoFailed(failed: LostCall, undone: readonly LostCall[], cause: unknown): CodemodeError {
  const say = ({ number, serverId, toolName }: LostCall): string =>
    `call ${number} (${oneLine(`${serverId}/${toolName}`)})`;
  const why = oneLine(cause instanceof Error && cause.message !== "" ? cause.message : String(cause));
  const done = undone.length === 0 ? "Nothing is taken back yet." : `Taken back are ${listSome(undone.map(say))}.`;
  const error = new CodemodeError(
    "UNDO_FAILED",
    1,
    `The \`undo\` of ${say(failed)} has failed: ${why.replace(/[.!?]?$/, ".")}`,
    `${done} Call \`undo\` again to go on with that call.`,
  );
  error.cause = cause;
  return error;
}
