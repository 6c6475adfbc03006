import { isLoopback } from "./http-listener.ts";
import type { IncomingMessage } from "node:http";

/**
 * Tells whether a request was meant for us: a page of an attacker can make its own name resolve to our address, and
 * would then read our answers as its own (DNS rebinding). `allowed` holds host names, with or without a port.
 */
export function isAllowedHost(header: string | undefined, allowed: readonly string[]): boolean {
  const url = parseUrl(`http://${header ?? ""}`);
  if (header === undefined || url === undefined || /[/?#@\\]/.test(header)) return false;
  const names = [url.hostname, url.host, header.toLowerCase()];
  return isLoopback(url.hostname) || allowed.some((name) => names.includes(name.toLowerCase()));
}

/**
 * Whether the origin of a request is allowed: none, a page of this machine, or a page of an allowed origin (`https://agents.example.com`).
 */
export function isAllowedOrigin(header: string | undefined, allowed: readonly string[]): boolean {
  if (header === undefined || isListedOrigin(header, allowed)) return true;
  const url = parseUrl(header);
  return url !== undefined && /^https?:$/.test(url.protocol) && isLoopback(url.hostname);
}

/** Tells whether the configuration names the origin: only then may its pages read answers. */
export function isListedOrigin(header: string, allowed: readonly string[]): boolean {
  const origin = parseUrl(header)?.origin;
  return origin !== undefined && origin !== "null" && allowed.some((entry) => parseUrl(entry)?.origin === origin);
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

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

/** Whether a request names one host, as it must (RFC 9112, section 3.2): of two, a proxy may have checked the other. */
export function hasOneHost({ headersDistinct }: Pick<IncomingMessage, "headersDistinct">): boolean {
  return (headersDistinct["host"]?.length ?? 0) <= 1;
}
