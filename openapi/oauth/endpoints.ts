import { type JsonObject, textAt } from "../json.ts";
import { OpenApiError, toLine } from "../openapi-error.ts";
import { type AddressGuard, ANY_ADDRESS } from "../request/address-guard.ts";
import type { TrustedOrigins } from "../request/api-server.ts";
import type { Environment } from "../request/environment.ts";
import type { LoginScheme } from "./login-scheme.ts";

/** An address of an authorization server, and what of the network it may reach. */
export interface Endpoint {
  url: URL;
  guard: AddressGuard;
}

/** A kind of address: its variable, and where the document has it. */
export interface EndpointKind {
  suffix: "TOKEN_URL" | "AUTHORIZATION_URL";
  members: readonly string[];
}

export const TOKEN: EndpointKind = { suffix: "TOKEN_URL", members: ["tokenUrl"] };
export const REFRESH: EndpointKind = { suffix: "TOKEN_URL", members: ["refreshUrl", "tokenUrl"] };
export const AUTHORIZATION: EndpointKind = { suffix: "AUTHORIZATION_URL", members: ["authorizationUrl"] };

/** The address that a person gave in the environment; it is used as it is. */
export function endpointByHand(scheme: LoginScheme, kind: EndpointKind, env: Environment): Endpoint | undefined {
  const variable = `${scheme.variable}_${kind.suffix}`;
  const text = env[variable];
  if (text === undefined || text === "") return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "")
    return { url, guard: ANY_ADDRESS };
  throw new OpenApiError("COMMAND_INVALID", `${variable} is no address`, "Write it as https://login.example/token.");
}

/** The address that the document gives: in a flow, or as an OpenID provider's. */
export function endpointOfDocument(
  scheme: LoginScheme,
  holder: JsonObject,
  kind: EndpointKind,
  trust: TrustedOrigins,
): Endpoint {
  const texts = kind.members.map((name) => textAt(holder, name));
  const text = texts.find((one) => one !== undefined && URL.canParse(one, trust.base?.href));
  if (text !== undefined) return judge(new URL(text, trust.base), scheme, kind, trust);
  const cause = `${scheme.pointer}: the document does not say the ${kind.members.at(-1)} of this login`;
  throw new OpenApiError("SERVER_REFUSED", cause, `Give it as ${scheme.variable}_${kind.suffix}.`);
}

/**
 * Refuses an address that no person gave, unless it is `https` or of this machine, and of an origin that logins go to anyway: a document
 * cannot name another host that would get the client secret.
 */
export function judge(url: URL, scheme: LoginScheme, kind: EndpointKind, trust: TrustedOrigins): Endpoint {
  const isSafe = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  if (isSafe && trust.has(url)) return { url, guard: trust.guardOf(url) };
  const reason = isSafe ? "is of another origin than the API" : "is neither https nor of this machine";
  const shown = toLine(`${url.protocol}//${url.host}${url.pathname}`, 200);
  const cause = `${scheme.pointer}: ${shown} ${reason}, so no login goes there by the word of the document`;
  throw new OpenApiError("SERVER_REFUSED", cause, `If it is right, set ${scheme.variable}_${kind.suffix} to it.`);
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
