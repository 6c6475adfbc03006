import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { ConnectionAuth, Fetch } from "@codemode/runtime/connections/http/connection-auth";
import { makeConnectionFailures } from "@codemode/runtime/connections/connection-failures";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import type { DpopSession } from "@modelcontextprotocol/client";
import { credentialsPath, currentGrant, readStoredLogins, updateCredentials, type Grant } from "./credentials-file.ts";
import { machineSettings } from "./machine-settings.ts";

/*
 * The SDK has what gets tokens. It is loaded where a token has to be renewed or bound to a key; a connection without a login loads none of it.
 */

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

  async function renew(token: string | undefined, response?: Response): Promise<void> {
    const { renewLogin } = await import("./renew-login.ts");
    await renewLogin({ target, path, machine, token }, failures, learn, response);
  }

  async function readGrant(): Promise<Grant | undefined> {
    const grant = currentGrant(await readStoredLogins(path));
    const token = grant?.tokens?.access_token;
    if (!isEnding(grant) || (machine === undefined && grant?.tokens?.refresh_token === undefined)) return grant;
    // Where that fails the server is the one to say that the token does not do any more.
    await renew(token).catch(() => undefined);
    return currentGrant(await readStoredLogins(path));
  }

  const withProof =
    (next: Fetch): Fetch =>
    async (input, init) => {
      const grant = currentGrant(await readStoredLogins(path));
      const session = grant && (await sessionOf(grant));
      if (session === undefined) return next(input, init);
      const { addProof } = await import("./dpop-key.ts");
      return addProof(session, () => lastToken, next)(input, init);
    };

  /** The nonces of servers are remembered as long as the key is the same. */
  async function sessionOf({ tokens, dpopKey }: Grant): Promise<DpopSession | undefined> {
    if (dpopKey === undefined || tokens?.token_type.toLowerCase() !== "dpop") return undefined;
    const { openDpopSession } = await import("./dpop-key.ts");
    const key = JSON.stringify(dpopKey);
    if (bound?.key !== key) bound = { key, session: openDpopSession(dpopKey) };
    return bound.session;
  }

  return {
    async token() {
      lastToken = (await readGrant())?.tokens?.access_token;
      if (lastToken !== undefined) learnSecret("access token", lastToken);
      return lastToken;
    },
    async renew(response) {
      if (machine === undefined && lastToken === undefined) throw failures.unauthorized();
      await renew(lastToken, response);
    },
    ...withoutUndefined({ withProof: target.oauth?.dpop === true ? withProof : undefined }),
    async noteMissingScope(scope) {
      if (currentGrant(await readStoredLogins(path)) === undefined) return;
      await updateCredentials(path, target.url, (credentials) => {
        const granted = currentGrant(credentials)?.tokens?.scope;
        const scopes = [granted, credentials.missingScope, scope].flatMap((each) => each?.split(" ") ?? []);
        return { ...credentials, missingScope: [...new Set(scopes)].filter((each) => each !== "").join(" ") };
      });
    },
  };
}

function isEnding(grant: Grant | undefined): boolean {
  if (grant?.expiresAt === undefined) return false;
  const lifeMs = (grant.tokens?.expires_in ?? Infinity) * 1_000;
  return grant.expiresAt - Date.now() < Math.min(RENEW_BEFORE_MS, lifeMs / 2);
}
