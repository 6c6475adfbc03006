import { CodemodeError } from "../../schemas/codemode-error.ts";

// The errors of batches, sorted by name. Texts must not hold the address of a database: it may have a password in it.

/** The batch of a database has other inputs than the given ones. */
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

/** A journal has results of another program, or of other inputs. */
export const journalDiffers = (found: string): CodemodeError =>
  new CodemodeError(
    "JOURNAL_DIFFERS",
    2,
    `${found} Nothing was run.`,
    "Keep them and run the other inputs with --continue, name another file with --journal, or remove this one to run all inputs.",
  );

/** Another process works on the batch of a journal. */
export const journalInUse = (file: string, pid: number, host: string): CodemodeError =>
  new CodemodeError(
    "JOURNAL_IN_USE",
    2,
    `Process ${pid} on ${host} works with ${file}. Nothing was run.`,
    `Wait until it has ended, or remove ${file}.lock if it is gone. Another batch needs another file (--journal).`,
  );

/** The database of a journal cannot be reached, or refuses what is asked of it. */
export const journalUnreachable = (place: string, reason: string): CodemodeError =>
  new CodemodeError(
    "JOURNAL_UNREACHABLE",
    1,
    `The journal in ${place} cannot be used: ${reason}`,
    "Check the address, the password (PGPASSWORD) and the rights of its account; then run the same command again.",
  );
