import type { JsonValue } from "../../../schemas/json/json.ts";

/**
 * What can go wrong between codemode and a server:
 *
 * - `command-not-found`: the command of the configuration does not exist
 * - `start-failed`: it could not be started, or ended before it was ready
 * - `timeout`: no answer in time
 * - `cancelled`: the caller's signal ended the wait
 * - `protocol`: the server sent something that MCP does not allow
 * - `closed`: the connection is no more
 * - `too-large`: one message was longer than the limit; the connection lives on
 * - `rpc-error`: the server answered with a JSON-RPC error
 *
 * and over HTTP, where the connection outlives each of them:
 *
 * - `unreachable`: no answer at the URL
 * - `interrupted`: the exchange broke off; the server may or may not have done what it was asked
 * - `unauthorized`: the server wants a login, or does not accept the one there is
 * - `forbidden`: the server knows who asks, and refuses
 * - `http-error`: another HTTP status than success
 * - `session-lost`: the server has forgotten the session; the request was not looked at
 */
export type ConnectionErrorKind =
  | "cancelled"
  | "closed"
  | "command-not-found"
  | "forbidden"
  | "http-error"
  | "interrupted"
  | "protocol"
  | "rpc-error"
  | "session-lost"
  | "start-failed"
  | "timeout"
  | "too-large"
  | "unauthorized"
  | "unreachable";

/** Where the message comes from the server it is masked, in one line and of bounded length; it is still hostile text. */
export interface ConnectionErrorFields {
  serverName: string;
  /** One action that fixes it. */
  hint: string;
  /** JSON-RPC error code, with `rpc-error`. */
  code?: number;
  /** Of the server's process, where it has ended. */
  exitCode?: number;
  /** The signal that ended the server's process. */
  exitSignal?: string;
  /** The last lines that the server wrote to stderr, masked; only where a start failed. */
  stderr?: string;
  /** The HTTP status, where one was the reason. */
  status?: number;
  /** How long to wait before another try, where the server says it (`Retry-After`). */
  retryAfterMs?: number;
  /** What a JSON-RPC error has beside its message, masked. */
  data?: JsonValue;
  /** What a server said, or what was wrong with it: one masked line. */
  said?: string;
  /** The limit that was reached: milliseconds with `timeout`, bytes with `too-large`. */
  limit?: number;
}

/** The one error that connections throw. Neither its message nor its fields hold a value of the configured environment. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly kind: ConnectionErrorKind;
  readonly serverName: string;
  readonly hint: string;
  readonly code: number | undefined;
  readonly exitCode: number | undefined;
  readonly exitSignal: string | undefined;
  readonly stderr: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly data: JsonValue | undefined;
  readonly said: string | undefined;
  readonly limit: number | undefined;

  constructor(kind: ConnectionErrorKind, message: string, fields: ConnectionErrorFields) {
    super(message);
    this.kind = kind;
    this.serverName = fields.serverName;
    this.hint = fields.hint;
    this.code = fields.code;
    this.exitCode = fields.exitCode;
    this.exitSignal = fields.exitSignal;
    this.stderr = fields.stderr;
    this.status = fields.status;
    this.retryAfterMs = fields.retryAfterMs;
    this.data = fields.data;
    this.said = fields.said;
    this.limit = fields.limit;
  }
}
