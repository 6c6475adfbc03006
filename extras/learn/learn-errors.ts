import { CodemodeError } from "../../schemas/codemode-error.ts";

// The errors of `codemode learn`, sorted by name.

/** `learn --call` without an approval. */
export const approvalMissing = (): CodemodeError =>
  new CodemodeError(
    "APPROVAL_MISSING",
    1,
    "The calls were not made: there is no approval to them.",
    "Answer yes on a terminal, or pass --approve; --dry-run shows the calls.",
  );

/** A recording holds results of a tool that this project does not have, or that has changed. */
export const recordingForeign = (file: string, tool: string, problem: string): CodemodeError =>
  new CodemodeError(
    "RECORDING_FOREIGN",
    2,
    `${file} has results of ${tool}, which ${problem}.`,
    "Record the run again in this project with `codemode run SCRIPT --record FILE`, or leave the file out.",
  );

/** `learn --check`: something was observed that the lockfile does not have. */
export const observedOutdated = (servers: readonly string[]): CodemodeError =>
  new CodemodeError(
    "OBSERVED_OUTDATED",
    3,
    `Shapes of results are not in the lockfile: ${servers.join(", ")}.`,
    "Write them with `codemode learn`, and review the change of the lockfile.",
  );
