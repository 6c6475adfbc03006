import { CodemodeError } from "../../schemas/codemode-error.ts";
import { optionInvalid } from "../../schemas/errors.ts";

// The errors of batches, sorted by name.

/** A batch that machines share is asked for, and the project has no store. */
export const batchNeedsStore = (): CodemodeError =>
  optionInvalid(
    "--batch",
    'a batch that machines share is in "serve.store", which this project does not have',
    'Set "serve.store" to a PostgreSQL database, and "serve.storeKey". A batch of one machine needs --inputs alone.',
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
