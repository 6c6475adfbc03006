import { CodemodeError, unlessCode } from "../../schemas/codemode-error.ts";

// Errors of durable runs, sorted by name.

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
