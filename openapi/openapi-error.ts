/** Which mistake it is, for programs. */
export type OpenApiErrorCode =
  | "ARGUMENT_INVALID"
  | "COMMAND_INVALID"
  | "CREDENTIAL_MISSING"
  | "DOCUMENT_INVALID"
  | "DOCUMENT_TOO_LARGE"
  | "DOCUMENT_UNREADABLE"
  | "LOGIN_FAILED"
  | "REFERENCE_REFUSED"
  | "REQUEST_FAILED"
  | "SERVER_REFUSED";

/** An error that a person can fix: one line of cause, one line of hint. */
export class OpenApiError extends Error {
  /** Which error it is, for programs. */
  readonly code: OpenApiErrorCode;
  /** What to do, in one line. */
  readonly hint: string;

  constructor(code: OpenApiErrorCode, message: string, hint: string) {
    super(toLine(message, 600));
    this.name = "OpenApiError";
    this.code = code;
    this.hint = toLine(hint, 300);
  }
}

/** A text of a stranger as one line without control characters, cut to a length. */
export function toLine(text: string, maxLength: number): string {
  const line = stripControls(text).replaceAll(/\s+/g, " ").trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

/** Takes out what a terminal or a model could read as something else than text: control, bidirectional, invisible and tag characters. */
export function stripControls(text: string): string {
  return text.replaceAll(CONTROLS, "");
}

/** Category C of Unicode: control, format, surrogate, private and unassigned. Line feed and tab stay. */
const CONTROLS = /[^\P{C}\n\t]/gu;
