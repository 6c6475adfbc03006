/** The process exit codes of the contract, other than 0. */
export type ErrorExitCode = 1 | 2 | 3;

/** An error that the user can fix: one line of cause, one line of hint, never a stack trace. */
export class CodemodeError extends Error {
  /** Says which error it is, for programs: `LOCKFILE_MISSING`. */
  readonly code: string;
  /** What to do, in one line. */
  readonly hint: string;
  /** What a command ends with: 1 where something failed, 2 where what was given is wrong, 3 for drift. */
  readonly exitCode: ErrorExitCode;

  constructor(code: string, exitCode: ErrorExitCode, message: string, hint: string) {
    super(message);
    this.name = "CodemodeError";
    this.code = code;
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/** Handles errors with one of these codes as nothing, and throws all others: `await read(id).catch(unlessCode("RUN_UNKNOWN"))`. */
export function unlessCode(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof CodemodeError) || !codes.includes(error.code)) throw error;
  };
}
