import { CodemodeError } from "../../schemas/codemode-error.ts";

// The errors of batches, sorted by name. Texts must not hold the address of a database: it may have a password in it.

/** The batch of a database has other inputs than those that are given. */
export const batchDiffers = (name: string, place: string): CodemodeError =>
  new CodemodeError(
    "BATCH_DIFFERS",
    2,
    `The batch "${name}" in ${place} has other inputs.`,
    "Give these inputs a batch of their own with --batch NAME, or leave out --inputs to take part in that one.",
  );

/** The database has no such batch of the script. */
export const batchUnknown = (name: string, place: string): CodemodeError =>
  new CodemodeError(
    "BATCH_UNKNOWN",
    2,
    `There is no batch "${name}" of this script with these limits in ${place}.`,
    "Enter its inputs with --inputs FILE, or check --batch, the script and the limits.",
  );

/** A line of `--inputs` is not valid JSON. */
export const inputsInvalid = (file: string, line: number, problem: string): CodemodeError =>
  new CodemodeError(
    "INPUTS_INVALID",
    2,
    `${file}:${line} is not valid JSON: ${problem}`,
    "Write one JSON value on each line.",
  );

/** The database of a journal cannot be reached, or refuses what is asked of it. */
export const journalUnreachable = (place: string, reason: string): CodemodeError =>
  new CodemodeError(
    "JOURNAL_UNREACHABLE",
    1,
    `The journal in ${place} cannot be used: ${reason}`,
    "Check the address, the password (PGPASSWORD) and the rights of its account; then run the same command again.",
  );
