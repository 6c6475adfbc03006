import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { digestToken } from "../../../../serve/http/http-plan.ts";

/** Decides which requests reach the page's files and its API: every check of one is in this file. */
export interface Guard {
  /** What the page's address carries after the `#`, which no browser sends or passes on. */
  token: string;
  /** Why a request for a file of the page is refused. The files hold nothing of the project. */
  refuseFile(request: Pick<IncomingMessage, "method" | "headers">): GuardRefusal | undefined;
  /** Why a request to the API is refused. */
  refuseCall(request: Pick<IncomingMessage, "method" | "headers">): GuardRefusal | undefined;
}

export interface GuardRefusal {
  status: 401 | 403 | 405 | 415;
  message: string;
}

const TOKEN_BYTES = 32;

/** @param port where the page is served; a request has to name it, with an address of this machine */
export function makeGuard(port: string): Guard {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const digest = digestToken(token);
  const hosts = new Set(["127.0.0.1", "[::1]", "localhost"].map((name) => `${name}:${port}`));

  /** A name of an attacker's that resolves to this machine is none of ours (DNS rebinding). */
  const refuseHost = ({ host }: IncomingHttpHeaders): GuardRefusal | undefined =>
    host !== undefined && hosts.has(host.toLowerCase())
      ? undefined
      : { status: 403, message: "This Host is not served." };

  /** A browser says which page sends a request, and no page but our own may (CSRF). Other programs say nothing, and have no token. */
  const refuseOrigin = ({
    origin,
    host = "",
    "sec-fetch-site": site,
  }: IncomingHttpHeaders): GuardRefusal | undefined => {
    const isOurs = origin === undefined || origin === `http://${host.toLowerCase()}`;
    if (isOurs && (site === undefined || site === "same-origin")) return undefined;
    return { status: 403, message: "This Origin is not served." };
  };

  const refuseToken = ({ authorization = "" }: IncomingHttpHeaders): GuardRefusal | undefined => {
    const given = /^Bearer ([\w-]{1,200})$/.exec(authorization)?.[1] ?? "";
    // Digests, so that neither length nor content of what was given shows in the time.
    if (timingSafeEqual(digestToken(given), digest)) return undefined;
    return {
      status: 401,
      message: "The token of this page is missing or wrong. Open the address that codemode printed.",
    };
  };

  return {
    token,
    refuseFile: ({ method, headers }) => refuseHost(headers) ?? refuseMethod(method, ["GET", "HEAD"]),
    refuseCall: ({ method, headers }) =>
      refuseHost(headers) ??
      refuseOrigin(headers) ??
      refuseMethod(method, ["POST"]) ??
      refuseToken(headers) ??
      refuseType(headers),
  };
}

function refuseMethod(method: string | undefined, allowed: readonly string[]): GuardRefusal | undefined {
  return allowed.includes(method ?? "") ? undefined : { status: 405, message: "Method not allowed." };
}

/** A form of a foreign page can send text, but not JSON. */
function refuseType({ "content-type": type }: IncomingHttpHeaders): GuardRefusal | undefined {
  return type === "application/json" ? undefined : { status: 415, message: "Send application/json." };
}

/** What every answer carries: nothing of it may be framed, guessed at, kept, or read by another origin. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/**
 * What the page may do: run its one script, ask its own server, and nothing else. Text can become HTML in one place alone, which
 * draws the time line. The editor makes a style sheet, and names the nonce for it.
 */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types timeline",
  ].join("; ");
}
