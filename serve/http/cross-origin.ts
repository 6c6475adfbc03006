import type { IncomingMessage } from "node:http";
import { isListedOrigin } from "./allowed-names.ts";

/** What a browser needs to hand an answer to a page of a configured origin; nothing for any other page. */
export function crossOriginHeaders(
  { headers: { origin } }: IncomingMessage,
  allowed: readonly string[],
): Record<string, string> {
  if (origin === undefined || !isListedOrigin(origin, allowed)) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "Mcp-Session-Id, WWW-Authenticate, Retry-After",
    vary: "Origin",
  };
}

/** The answer to a browser that asks, without the token, what a page may send. */
export function answerPreflight({ headers }: IncomingMessage): Response {
  const asked = headers["access-control-request-headers"] ?? "";
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST, DELETE",
      "access-control-allow-headers": /^[\w, -]*$/.test(asked) ? asked : "",
      "access-control-max-age": "600",
    },
  });
}
