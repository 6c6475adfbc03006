import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import type { ConnectionFailures } from "@codemode/runtime/connections/connection-failures";
import { explainHttpFailure } from "@codemode/runtime/connections/http/explain-http-failure";

/** Turns what went wrong on the way to tokens into our own errors. */
export function explainLoginFailure(
  error: unknown,
  failures: ConnectionFailures,
  signal?: AbortSignal,
): ConnectionError {
  if (error instanceof ConnectionError) return error;
  if (signal?.aborted === true) return failures.cancelled("the login");
  if (error instanceof TypeError) {
    const unreachable = explainHttpFailure(error, failures, { action: "the login", hadSession: false });
    if (unreachable !== undefined) return unreachable;
  }
  return failures.loginFailed(error instanceof Error ? error.message : String(error));
}
