/** What every error tells beside its message. */
export interface ErrorDetails {
  /** One action that fixes it. */
  hint: string;
}

/** The base of all errors that codemode throws into a script (specification 7.1). */
export class CodemodeError extends Error {
  // A written name, not the class's own: a bundler may rename the class.
  override readonly name: string = "CodemodeError";
  readonly hint: string;

  constructor(message: string, details: ErrorDetails) {
    super(message);
    this.hint = details.hint;
  }
}

/** Which tool an error is about. */
export interface ToolErrorDetails extends ErrorDetails {
  serverId: string;
  toolName: string;
}

/** What a `ToolCallError` says beside its message, as far as the server has said it (an extension). */
export interface ToolCallErrorDetails extends ToolErrorDetails {
  /** The HTTP status of the answer, of a server over HTTP or of the API behind a tool. */
  status?: number | undefined;
  /** How long to wait before the next try, in milliseconds (`Retry-After`). */
  retryAfterMs?: number | undefined;
  /** The code that a tool of the program gives its error (`ToolError`). */
  code?: string | undefined;
  /** The structured content of the result, or `data` of a JSON-RPC error. */
  data?: unknown;
}

/** The tool answered with `isError`, or the call could not be performed. */
export class ToolCallError extends CodemodeError {
  override readonly name: string = "ToolCallError";
  readonly serverId: string;
  readonly toolName: string;
  /** The HTTP status of the answer; undefined where there is none. */
  readonly status: number | undefined;
  /** How long to wait before the next try, in milliseconds; undefined where the server does not say it. */
  readonly retryAfterMs: number | undefined;
  /** The tool's own code for the error; undefined where it has none. */
  readonly code: string | undefined;
  /** What the server says of the error in a form for programs; undefined where it does not. */
  readonly data: unknown;

  constructor(message: string, details: ToolCallErrorDetails) {
    super(message, details);
    this.serverId = details.serverId;
    this.toolName = details.toolName;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.code = details.code;
    this.data = details.data;
  }
}

/** The server rejected the call because credentials are missing or invalid. */
export class AuthenticationError extends ToolCallError {
  override readonly name: string = "AuthenticationError";
}

/** What an `ApprovalRefusedError` says. */
export interface RefusalDetails extends ToolCallErrorDetails {
  /** The person's own words; empty where there are none. */
  reason: string;
}

/** A person has refused the call, or could not be asked; nothing was sent. */
export class ApprovalRefusedError extends ToolCallError {
  override readonly name: string = "ApprovalRefusedError";
  readonly reason: string;

  constructor(message: string, details: RefusalDetails) {
    super(message, details);
    this.reason = details.reason;
  }
}

/** What a `SchemaValidationError` says of the first mismatch (specification 7.2). */
export interface SchemaValidationDetails extends ToolErrorDetails {
  exportName: string;
  /** JSON Pointer (RFC 6901) to the failing property; empty for the whole input. */
  pointer: string;
  expected: string;
  received: string;
  /** A minimal valid input, where one is known. */
  example?: unknown;
}

/** The input of a call does not match the tool's schema; nothing was sent. */
export class SchemaValidationError extends CodemodeError {
  override readonly name: string = "SchemaValidationError";
  readonly serverId: string;
  readonly toolName: string;
  readonly exportName: string;
  readonly pointer: string;
  readonly expected: string;
  readonly received: string;
  readonly example: unknown;

  constructor(message: string, details: SchemaValidationDetails) {
    super(message, details);
    this.serverId = details.serverId;
    this.toolName = details.toolName;
    this.exportName = details.exportName;
    this.pointer = details.pointer;
    this.expected = details.expected;
    this.received = details.received;
    this.example = details.example;
  }
}

/** The server has no tool of that name, or the script may not call it. */
export class ToolNotFoundError extends CodemodeError {
  override readonly name: string = "ToolNotFoundError";
  readonly serverId: string;
  readonly toolName: string;

  constructor(message: string, details: ToolErrorDetails) {
    super(message, details);
    this.serverId = details.serverId;
    this.toolName = details.toolName;
  }
}

/** Which server an error is about. */
export interface ServerErrorDetails extends ErrorDetails {
  serverId: string;
}

/** The server is not configured or could not be reached. */
export class ServerNotFoundError extends CodemodeError {
  override readonly name: string = "ServerNotFoundError";
  readonly serverId: string;

  constructor(message: string, details: ServerErrorDetails) {
    super(message, details);
    this.serverId = details.serverId;
  }
}

/** Which limit was exceeded. */
export interface LimitErrorDetails extends ErrorDetails {
  /** The key in the run's `limits`, for instance `maxToolCalls`. */
  limit: string;
}

/** The script exceeded a configured limit. */
export class SandboxLimitError extends CodemodeError {
  override readonly name: string = "SandboxLimitError";
  readonly limit: string;

  constructor(message: string, details: LimitErrorDetails) {
    super(message, details);
    this.limit = details.limit;
  }
}
