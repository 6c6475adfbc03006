import type { ConnectionFailures } from "@codemode/runtime/connections/connection-failures";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import { extractWWWAuthenticateParams, UnauthorizedError } from "@modelcontextprotocol/client";
import { makePatientFetch } from "./auth-fetch.ts";
import { explainLoginFailure } from "./explain-login-failure.ts";
import { requestTokens } from "./machine-grant.ts";
import type { MachineSettings } from "./machine-settings.ts";
import { askForRefresh, type AskForTokens, renewTokens } from "./refresh.ts";

/** The login whose token does not do any more. */
export interface StaleLogin {
  target: HttpTarget;
  /** Of its credentials file. */
  path: string;
  /** Undefined where a person has logged in. */
  machine: MachineSettings | undefined;
  /** The token; undefined where there was none. */
  token: string | undefined;
}

/**
 * Gets another token, from the refresh token of a person's login or with the server's own credentials, and keeps it in the file.
 * @param response the answer to a request without a token, or with this one
 * @param learn receives each secret that comes from a file or an authorization server
 * @throws a `ConnectionError` where only a person can help, and with the server's own credentials for each failure
 */
export async function renewLogin(
  { target, path, machine, token }: StaleLogin,
  failures: ConnectionFailures,
  learn: (name: string, value: string) => void,
  response?: Response,
): Promise<void> {
  const askAsMachine = (settings: MachineSettings): AskForTokens => {
    const challenge = response === undefined ? {} : extractWWWAuthenticateParams(response);
    const means = { fetchFn: makePatientFetch().fetchFn, learn };
    return async () => ({ issuer: settings.issuer, grant: await requestTokens(target, settings, challenge, means) });
  };
  try {
    await renewTokens(path, target.url, token, machine === undefined ? askForRefresh : askAsMachine(machine));
  } catch (error) {
    if (machine !== undefined) throw explainLoginFailure(error, failures);
    throw error instanceof UnauthorizedError ? failures.unauthorized() : error;
  }
}
