import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import type { ConnectionFailures } from "@codemode/runtime/connections/connection-failures";
import { explainNetworkProblem } from "@codemode/runtime/connections/http/explain-http-failure";

/** Turns what went wrong on the way to tokens into our own errors. */
export function explainLoginFailure(
  error: unknown,
  failures: ConnectionFailures,
  signal?: AbortSignal,
): ConnectionError {
  if (error instanceof ConnectionError) return error;
  if (signal?.aborted === true) return failures.cancelled("the login");
  return (
    explainNetworkProblem(error, failures) ??
    failures.loginFailed(error instanceof Error ? error.message : String(error))
  );
}
