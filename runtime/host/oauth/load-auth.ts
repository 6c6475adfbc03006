import type { ConnectionAuth } from "@codemode/runtime/connections/http/connection-auth";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import { UnauthorizedError, computeScopeUnion } from "@modelcontextprotocol/client";
import { credentialsPath, readCredentials, updateCredentials } from "./credentials-file.ts";
import { currentGrant, refreshTokens } from "./refresh.ts";

/** A token that ends within this time is renewed before it is used. */
const REFRESH_BEFORE_MS = 30_000;

/**
 * Connects a connection to the user's login.
 * @param learnSecret receives each token, so that messages never show it
 * @returns undefined where the configuration says how to be authorized
 */
export function loadAuth(
  target: HttpTarget,
  learnSecret: (name: string, value: string) => void,
): ConnectionAuth | undefined {
  if (Object.keys(target.headers).some((name) => name.toLowerCase() === "authorization")) return undefined;
  const path = credentialsPath(target.url);
  let lastToken: string | undefined;

  async function readToken(): Promise<string | undefined> {
    const grant = currentGrant(await readCredentials(path));
    const token = grant?.tokens?.access_token;
    if (token === undefined) return undefined;
    const isEnding = grant?.expiresAt !== undefined && grant.expiresAt - Date.now() < REFRESH_BEFORE_MS;
    if (!isEnding || grant?.tokens?.refresh_token === undefined) return token;
    // Where that fails the server is the one to say that the token does not do any more.
    await refreshTokens(path, target.url, token).catch(() => undefined);
    return currentGrant(await readCredentials(path))?.tokens?.access_token;
  }

  return {
    provider: {
      async token() {
        lastToken = await readToken();
        if (lastToken !== undefined) learnSecret("access token", lastToken);
        return lastToken;
      },
      async onUnauthorized() {
        if (lastToken === undefined) throw new UnauthorizedError("there is no login");
        await refreshTokens(path, target.url, lastToken);
      },
    },
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
