import {
  discoverAuthorizationServerMetadata,
  selectClientAuthMethod,
  type StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import { makeAuthFetch } from "./auth-fetch.ts";
import { credentialsPath, readStoredLogins, removeCredentials, type Grant } from "./credentials-file.ts";

/**
 * Deletes all logins to a server, and revokes them at authorization servers that support it (RFC 7009).
 * @returns whether there was one
 */
export async function logout(target: HttpTarget, signal?: AbortSignal): Promise<boolean> {
  const path = credentialsPath(target);
  const credentials = await readStoredLogins(path);
  if (credentials === undefined) return false;
  await removeCredentials(path);
  const grants = Object.entries(credentials.grants);
  // The login is deleted, even if a server refuses the revocation.
  await Promise.allSettled(grants.map(([issuer, grant]) => revoke(issuer, grant, signal)));
  return grants.some(([, { tokens }]) => tokens !== undefined);
}

async function revoke(issuer: string, grant: Grant, signal: AbortSignal | undefined): Promise<void> {
  const { tokens, client } = grant;
  if (tokens === undefined || client === undefined) return;
  const fetchFn = makeAuthFetch(signal);
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn });
  const { revocation_endpoint: endpoint } = (metadata ?? {}) as { revocation_endpoint?: string };
  if (endpoint === undefined || new URL(endpoint).origin !== new URL(issuer).origin) return;
  const isRefresh = tokens.refresh_token !== undefined;
  const proof = proveClient(client, metadata?.token_endpoint_auth_methods_supported ?? []);
  const body = new URLSearchParams({
    token: tokens.refresh_token ?? tokens.access_token,
    token_type_hint: isRefresh ? "refresh_token" : "access_token",
    ...proof.parameters,
  });
  await fetchFn(endpoint, { method: "POST", body, headers: proof.headers });
}

/** How a client says who it is (RFC 6749, section 2.3.1). */
function proveClient(
  client: StoredOAuthClientInformation,
  supported: string[],
): { parameters: Record<string, string>; headers: Record<string, string> } {
  const { client_id, client_secret = "" } = client;
  switch (selectClientAuthMethod(client, supported)) {
    case "client_secret_basic":
      return { parameters: {}, headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` } };
    case "client_secret_post":
      return { parameters: { client_id, client_secret }, headers: {} };
    case "none":
      return { parameters: { client_id }, headers: {} };
  }
}
