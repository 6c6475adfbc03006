import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";

/** The answer of a server without a login. */
export interface Challenge {
  isChallenged: boolean;
  resourceMetadataUrl?: URL | undefined;
  scope?: string | undefined;
}

/** Asks the server something without a token, to see where it sends people for one. */
export async function askForChallenge(
  target: HttpTarget,
  authFetch: (url: string, init?: RequestInit) => Promise<Response>,
): Promise<Challenge> {
  const accept = "application/json, text/event-stream";
  const question = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ping" });
  const request: RequestInit =
    target.transport === "sse"
      ? { headers: { ...target.headers, accept } }
      : { method: "POST", headers: { ...target.headers, accept, "content-type": "application/json" }, body: question };
  // The headers may be secrets of this server alone.
  const response = await authFetch(target.url, { ...request, redirect: "manual" });
  await response.body?.cancel();
  if (response.status !== 401) return { isChallenged: false };
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { isChallenged: true, resourceMetadataUrl, scope };
}
