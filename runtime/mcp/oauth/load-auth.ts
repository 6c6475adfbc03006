import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { ConnectionAuth } from "@codemode/runtime/connections/http/connection-auth";
import { makeConnectionFailures } from "@codemode/runtime/connections/connection-failures";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import {
  computeScopeUnion,
  type DpopSession,
  type FetchLike,
  extractWWWAuthenticateParams,
  UnauthorizedError,
  withDpop,
} from "@modelcontextprotocol/client";
import { makePatientFetch } from "./auth-fetch.ts";
import { credentialsPath, readCredentials, updateCredentials, type Grant } from "./credentials-file.ts";
import { openDpopSession } from "./dpop-key.ts";
import { explainLoginFailure } from "./explain-login-failure.ts";
import { machineSettings, requestTokens } from "./machine-grant.ts";
import { askForRefresh, type AskForTokens, currentGrant, renewTokens } from "./refresh.ts";

/** A token that ends within this time is renewed before it is used, or in the last half of a shorter life. */
const RENEW_BEFORE_MS = 30_000;

/**
 * Connects a connection to the user's login, or to the server's own credentials.
 * @param learnSecret receives each token, so that messages never show it
 * @returns undefined where the configuration says how to be authorized
 */
export function loadAuth(
  target: HttpTarget,
  learnSecret: (name: string, value: string) => void,
): ConnectionAuth | undefined {
  if (Object.keys(target.headers).some((name) => name.toLowerCase() === "authorization")) return undefined;
  const path = credentialsPath(target);
  const machine = machineSettings(target);
  const failures = makeConnectionFailures(target);
  const learn = (name: string, value: string): void => {
    learnSecret(name, value);
    failures.learnSecret(name, value);
  };
  let lastToken: string | undefined;
  let bound: { key: string; session: Promise<DpopSession> } | undefined;

  /** @param response without a token, or with one that does not do */
  const asking = (response?: Response): AskForTokens =>
    machine === undefined
      ? askForRefresh
      : async () => {
          const challenge = response === undefined ? {} : extractWWWAuthenticateParams(response);
          const means = { fetchFn: makePatientFetch().fetchFn, learn };
          return { issuer: machine.issuer, grant: await requestTokens(target, machine, challenge, means) };
        };

  async function readGrant(): Promise<Grant | undefined> {
    const grant = currentGrant(await readCredentials(path));
    const token = grant?.tokens?.access_token;
    if (!isEnding(grant) || (machine === undefined && grant?.tokens?.refresh_token === undefined)) return grant;
    // Where that fails the server is the one to say that the token does not do any more.
    await renewTokens(path, target.url, token, asking()).catch(() => undefined);
    return currentGrant(await readCredentials(path));
  }

  const withProof =
    (next: FetchLike): FetchLike =>
    async (input, init) => {
      const grant = currentGrant(await readCredentials(path));
      const session = grant && (await sessionOf(grant));
      return session === undefined ? next(input, init) : withDpop(session, () => lastToken)(next)(input, init);
    };

  /** The nonces of servers are remembered as long as the key is the same. */
  async function sessionOf({ tokens, dpopKey }: Grant): Promise<DpopSession | undefined> {
    if (dpopKey === undefined || tokens?.token_type.toLowerCase() !== "dpop") return undefined;
    const key = JSON.stringify(dpopKey);
    if (bound?.key !== key) bound = { key, session: openDpopSession(dpopKey) };
    return bound.session;
  }

  return {
    provider: {
      async token() {
        lastToken = (await readGrant())?.tokens?.access_token;
        if (lastToken !== undefined) learnSecret("access token", lastToken);
        return lastToken;
      },
      async onUnauthorized({ response }) {
        if (machine === undefined && lastToken === undefined) throw new UnauthorizedError("there is no login");
        try {
          await renewTokens(path, target.url, lastToken, asking(response));
        } catch (error) {
          throw machine === undefined ? error : explainLoginFailure(error, failures);
        }
      },
    },
    ...withoutUndefined({ withProof: target.oauth?.dpop === true ? withProof : undefined }),
    async noteMissingScope(scope) {
      if (currentGrant(await readCredentials(path)) === undefined) return;
      await updateCredentials(path, target.url, (credentials) => {
        const granted = currentGrant(credentials)?.tokens?.scope;
        const missingScope = computeScopeUnion(granted, credentials.missingScope, scope);
        return missingScope === undefined ? undefined : { ...credentials, missingScope };
      });
    },
  };
}

function isEnding(grant: Grant | undefined): boolean {
  if (grant?.expiresAt === undefined) return false;
  const lifeMs = (grant.tokens?.expires_in ?? Infinity) * 1_000;
  return grant.expiresAt - Date.now() < Math.min(RENEW_BEFORE_MS, lifeMs / 2);
}
