/**
 * Why a server could not be reached or did not answer; the kinds are those of codemode's host, so that a script gets the
 * same error here and there.
 */
export type LinkFailureKind =
  | "closed"
  | "forbidden"
  | "http-error"
  | "interrupted"
  | "not-configured"
  | "protocol"
  | "rpc-error"
  | "session-lost"
  | "start-failed"
  | "timeout"
  | "too-large"
  | "unauthorized"
  | "unreachable";

/** What links throw. It becomes the `cause` of the error that a binding throws, for the person who runs the program. */
export class LinkFailure extends Error {
  override readonly name = "LinkFailure";
  readonly kind: LinkFailureKind;
  /** The HTTP status, where one was the reason. */
  readonly status: number | undefined;

  /** The limit that was reached: milliseconds with `timeout`, bytes with `too-large`. */
  readonly limit: number | undefined;

  constructor(
    kind: LinkFailureKind,
    message: string,
    options: { status?: number; limit?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.kind = kind;
    this.status = options.status;
    this.limit = options.limit;
  }
}
