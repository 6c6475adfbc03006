import { CodemodeError } from "./codemode-error.ts";

// The errors of batches, sorted by name.

/** A line of `--inputs` is no JSON. */
export const inputsInvalid = (file: string, line: number, problem: string): CodemodeError =>
  new CodemodeError(
    "INPUTS_INVALID",
    2,
    `${file}:${line} is not valid JSON: ${problem}`,
    "Write one JSON value on each line.",
  );
