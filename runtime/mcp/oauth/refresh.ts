import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import {
  discoverAuthorizationServerMetadata,
  OAuthError,
  refreshAuthorization,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { isPassingStatus } from "@codemode/runtime/call-failure";
import { makePatientFetch } from "./auth-fetch.ts";
import { currentGrant, updateCredentials, type StoredLogin, type Grant } from "./credentials-file.ts";
import { openDpopSession } from "./dpop-key.ts";

/** Asks the issuer for new tokens. */
export type AskForTokens = (credentials: StoredLogin) => Promise<{ issuer: string; grant: Grant }>;

/** The renewals of this process that are under way, by file and the token that they replace. */
const running = new Map<string, Promise<void>>();

/**
 * Gets a new access token in place of one that does not do any more: once, however many ask. Under the lock of the file: of several
 * processes that notice at once, one asks, because many authorization servers take a second use of a refresh token for theft, and the
 * others find the new token when their turn comes.
 * @throws what `ask` throws
 */
export function renewTokens(
  path: string,
  serverUrl: string,
  stale: string | undefined,
  ask: AskForTokens,
): Promise<void> {
  const key = JSON.stringify([path, stale]);
  const known = running.get(key) ?? renewOnce(path, serverUrl, stale, ask).finally(() => running.delete(key));
  running.set(key, known);
  return known;
}

async function renewOnce(path: string, serverUrl: string, stale: string | undefined, ask: AskForTokens): Promise<void> {
  await updateCredentials(path, serverUrl, async (credentials) => {
    const known = currentGrant(credentials);
    if (known?.tokens !== undefined && known.tokens.access_token !== stale) return undefined; // another process was faster
    const { issuer, grant } = await ask(credentials);
    return { ...credentials, issuer, grants: { ...credentials.grants, [issuer]: grant } };
  });
}

/** Uses the refresh token of a person's login. Throws `UnauthorizedError` where only that person can help. */
export const askForRefresh: AskForTokens = async (credentials) => {
  const { issuer } = credentials;
  const grant = currentGrant(credentials);
  const refreshToken = grant?.tokens?.refresh_token;
  if (issuer === undefined || grant?.client === undefined || refreshToken === undefined)
    throw new UnauthorizedError(ENDED);
  const { fetchFn, lastStatus } = makePatientFetch();
  try {
    const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn });
    const tokens = await refreshAuthorization(issuer, {
      ...withoutUndefined({ metadata }),
      clientInformation: grant.client,
      refreshToken,
      fetchFn,
      ...withoutUndefined({
        resource: grant.resource,
        dpop: grant.dpopKey === undefined ? undefined : await openDpopSession(grant.dpopKey),
      }),
    });
    const { expiresAt: _, ...rest } = grant;
    const expiry = tokens.expires_in === undefined ? {} : { expiresAt: Date.now() + tokens.expires_in * 1_000 };
    return { issuer, grant: { ...rest, tokens, ...expiry } };
  } catch (error) {
    // What the authorization server refuses it will refuse again; one that is busy or down, and a network that is, are another matter.
    if (error instanceof OAuthError && ENDING.has(error.code)) throw new UnauthorizedError(ENDED);
    const status = lastStatus();
    if (status === undefined || !isPassingStatus(status)) throw error;
    const state = status < 500 ? "is busy" : "is down";
    const what = `the authorization server ${new URL(issuer).host} ${state} (HTTP ${status}); the login is kept`;
    throw new Error(what, { cause: error });
  }
};

/** The errors of RFC 6749, section 5.2, that a person has to log in again for, or the client has to be registered again. */
const ENDING: ReadonlySet<string> = new Set(["invalid_grant", "invalid_client", "unauthorized_client"]);

const ENDED = "the login has ended";
