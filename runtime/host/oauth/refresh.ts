import {
  discoverAuthorizationServerMetadata,
  OAuthError,
  refreshAuthorization,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { makeAuthFetch } from "./auth-fetch.ts";
import { updateCredentials, type Credentials, type Grant } from "./credentials-file.ts";

/** The grant of the last login; undefined where there is none. */
export function currentGrant(credentials: Credentials | undefined): Grant | undefined {
  const { issuer, grants } = credentials ?? {};
  return issuer !== undefined && grants !== undefined && Object.hasOwn(grants, issuer) ? grants[issuer] : undefined;
}

/**
 * Gets a new access token in place of one that does not do any more. Under the lock of the file: of several processes that
 * notice at once, one asks, because many authorization servers take a second use of a refresh token for theft, and the
 * others find the new token when their turn comes.
 * @throws `UnauthorizedError` where only the user can help
 */
export async function refreshTokens(path: string, serverUrl: string, stale: string | undefined): Promise<void> {
  let refused = false;
  await updateCredentials(path, serverUrl, async (credentials) => {
    const grant = currentGrant(credentials);
    if (grant?.tokens !== undefined && grant.tokens.access_token !== stale) return undefined; // another process was faster
    const refreshed = await askForTokens(credentials.issuer, grant);
    refused = refreshed === undefined;
    if (refreshed === undefined || credentials.issuer === undefined) return undefined;
    return { ...credentials, grants: { ...credentials.grants, [credentials.issuer]: refreshed } };
  });
  if (refused) throw new UnauthorizedError("the login has ended");
}

async function askForTokens(issuer: string | undefined, grant: Grant | undefined): Promise<Grant | undefined> {
  const refreshToken = grant?.tokens?.refresh_token;
  if (issuer === undefined || grant?.client === undefined || refreshToken === undefined) return undefined;
  const fetchFn = makeAuthFetch();
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn });
  try {
    const tokens = await refreshAuthorization(issuer, {
      ...(metadata === undefined ? {} : { metadata }),
      clientInformation: grant.client,
      refreshToken,
      fetchFn,
      ...(grant.resource === undefined ? {} : { resource: grant.resource }),
    });
    const { expiresAt: _, ...rest } = grant;
    const expiry = tokens.expires_in === undefined ? {} : { expiresAt: Date.now() + tokens.expires_in * 1_000 };
    return { ...rest, tokens, ...expiry };
  } catch (error) {
    // What the authorization server refuses it will refuse again; a network that is down is another matter.
    if (error instanceof OAuthError) return undefined;
    throw error;
  }
}
