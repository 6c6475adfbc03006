import { CodemodeError } from "../../schemas/codemode-error.ts";
import { toFileError } from "../../schemas/known-errors.ts";
import { standardOutput } from "../../serve/standard-output.ts";
import { escapeInvisible, oneLine } from "../../schemas/json/escape-invisible.ts";

/** Where a command's words go: results to stdout, everything else to stderr. */
export interface Output {
  result(text: string): void;
  note(text: string): void;
}

/**
 * The streams of this process. Much of what is printed comes from servers and scripts: invisible characters are escaped here, into
 * terminals and pipes alike. In JSON the escapes mean the same.
 */
export const processOutput: Output = {
  result: (text) => void standardOutput().write(`${escapeInvisible(text)}\n`),
  note: (text) => void process.stderr.write(`${escapeInvisible(text)}\n`),
};

/** Prints an error as one line of cause and one line of hint, and returns the exit code that it means. */
export function reportError(thrown: unknown, output: Output, verbose: boolean): number {
  const error = toFileError(thrown) ?? thrown;
  if (error instanceof CodemodeError) {
    output.note(`error: ${oneLine(error.message)}`);
    output.note(`hint: ${oneLine(error.hint)}`);
    if (verbose && error.stack !== undefined) output.note(escapeInvisible(error.stack));
    return error.exitCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  output.note(`error: ${oneLine(message)}`);
  output.note("hint: This is a bug in codemode; please report it with the output of --verbose.");
  if (verbose && error instanceof Error && error.stack !== undefined) output.note(escapeInvisible(error.stack));
  return 1;
}
