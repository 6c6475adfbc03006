/** The process exit codes of the contract, other than 0. */
export type ErrorExitCode = 1 | 2 | 3;

/** An error that the user can fix: one line of cause, one line of hint, never a stack trace. */
export class CodemodeError extends Error {
  readonly code: string;
  readonly hint: string;
  readonly exitCode: ErrorExitCode;

  constructor(code: string, exitCode: ErrorExitCode, message: string, hint: string) {
    super(message);
    this.name = "CodemodeError";
    this.code = code;
    this.hint = hint;
    this.exitCode = exitCode;
  }
}
