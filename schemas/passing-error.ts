// A database that is restarted, or out of reach for a moment, is waited for; one that refuses a statement is not.

/**
 * SQLSTATEs of PostgreSQL after which the same statement may succeed: connection exceptions, a server that is shut down or starts up, one without a
 * connection left, a session that was ended, a standby that takes over, and transactions that conflict with others.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const PASSING_STATE = /^(?:08...|57P0[1235]|53300|25006|40001|40P01)$/;

/** Of sockets and names. A name that does not exist stays away. */
const PASSING_CODES: ReadonlySet<string> = new Set(
  "ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH EAI_AGAIN".split(" "),
);

/** What `pg` says without a code. */
const PASSING_MESSAGE =
  /^Connection terminated|^timeout exceeded when trying to connect$|^Query read timeout$|^Client has encountered a connection error/;

/** Whether what failed may succeed later, by the cause of the failure; it may have been done all the same. */
function isPassing(cause: unknown): boolean {
  const { code, message, errors } = (cause ?? {}) as { code?: unknown; message?: unknown; errors?: unknown };
  if (typeof code === "string" && code !== "") return PASSING_STATE.test(code) || PASSING_CODES.has(code);
  // Of a host with several addresses each failed for itself.
  if (Array.isArray(errors)) return errors.some(isPassing);
  return typeof message === "string" && PASSING_MESSAGE.test(message);
}

/** Errors as they are shown, whose cause may pass. The cause itself may quote the address of a database, and is not kept. */
const passing = new WeakSet<Error>();

/** Notes of an error that is shown in the place of its cause whether that may pass. */
export function noteCause<Shown extends Error>(shown: Shown, cause: unknown): Shown {
  if (isPassing(cause)) passing.add(shown);
  return shown;
}

/** Whether an error that `noteCause` has got may pass: what failed is worth another try. */
export function mayPass(error: unknown): boolean {
  return error instanceof Error && passing.has(error);
}
