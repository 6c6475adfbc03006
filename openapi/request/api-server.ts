import type { ApiDocument } from "../document/parse-document.ts";
import { type JsonObject, arrayAt, isObject, objectAt, textAt } from "../json.ts";
import { OpenApiError } from "../openapi-error.ts";
import type { Operation } from "../operations.ts";
import { type AddressGuard, ANY_ADDRESS, PUBLIC_ADDRESSES } from "./address-guard.ts";

/** Where the requests of an operation go. */
export interface ApiServer {
  url: URL;
  guard: AddressGuard;
  /** Whether headers and logins go there. */
  isTrusted: boolean;
}

/** What a person says about servers. */
export interface ServerOptions {
  /** Replaces all servers of the document. */
  baseUrl?: string | undefined;
  /** Further origins that logins go to: for operations with a server of their own. */
  trustOrigins?: readonly string[] | undefined;
  /** Where the first server of the document must be, so that a changed document takes no login elsewhere. */
  origin?: string | undefined;
}

/** The origins that headers and logins go to. */
export interface TrustedOrigins {
  /** What an address of the document without a host belongs to. */
  base: URL | undefined;
  /** Whether logins go to an address. */
  has: (url: URL) => boolean;
  /** What of the network an address may reach. */
  guardOf: (url: URL) => AddressGuard;
}

/** Logins go to the first server of the document, or `--base-url`, and to origins that a person trusts. */
export function listTrusted(document: ApiDocument, { baseUrl, trustOrigins, origin }: ServerOptions): TrustedOrigins {
  const trusted = (trustOrigins ?? []).map((origin) => parseBase(origin, "--trust-origin").origin);
  const ofDocument = arrayAt(document.root, "servers").filter(isObject);
  const hasMain = ofDocument.length > 0 || document.address !== undefined;
  const main = hasMain ? findServer(ofDocument, document) : undefined;
  const given = baseUrl === undefined ? undefined : parseBase(baseUrl, "--base-url");
  const base = given ?? main;
  if (origin !== undefined) assertOrigin(base, origin);
  const byHand = new Set([...trusted, given?.origin, document.address?.origin]);
  return {
    base,
    has: ({ origin }) => origin === base?.origin || trusted.includes(origin),
    guardOf: ({ origin }) => (byHand.has(origin) ? ANY_ADDRESS : PUBLIC_ADDRESSES),
  };
}

/** Finds the server of each operation. An address that a person gave may be private, one of the document may not. */
export function locateServers(
  document: ApiDocument,
  { baseUrl }: ServerOptions,
  trust: TrustedOrigins,
): (operation: Operation) => ApiServer {
  return ({ servers, pointer }) => {
    // The first server of the document is where it sends everything; one of a single operation is not.
    const url = (baseUrl === undefined ? undefined : trust.base) ?? chooseServer(servers, document, pointer);
    return { url, guard: trust.guardOf(url), isTrusted: trust.has(url) };
  };
}

function assertOrigin(base: URL | undefined, origin: string): void {
  const expected = parseBase(origin, "--origin").origin;
  if (base?.origin === expected) return;
  const cause = `#/servers: the document is for ${base?.origin ?? "nowhere"}, and --origin says ${expected}`;
  throw new OpenApiError("SERVER_REFUSED", cause, "Review the document. If the API has moved, change --origin.");
}

function parseBase(text: string, option: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url;
  const hint = "Write it as https://api.example/v1; a login goes into --header or the environment.";
  throw new OpenApiError("COMMAND_INVALID", `${option} is no address`, hint);
}

function chooseServer(servers: JsonObject[], document: ApiDocument, pointer: string): URL {
  const chosen = findServer(servers, document);
  if (chosen !== undefined) return chosen;
  const cause = `${pointer}: the document does not say at which address the server is`;
  throw new OpenApiError("SERVER_REFUSED", cause, "Give it with --base-url.");
}

/** The first server; the same host with https, where the document has both. */
function findServer(servers: JsonObject[], document: ApiDocument): URL | undefined {
  const urls = (servers.length === 0 ? [{ url: "/" }] : servers).map((server) => toUrl(server, document));
  const [first] = urls;
  const secure = urls.find((url) => url?.protocol === "https:" && url.hostname === first?.hostname);
  return first?.protocol === "http:" ? (secure ?? first) : first;
}

function toUrl(server: JsonObject, { address }: ApiDocument): URL | undefined {
  const variables = objectAt(server, "variables") ?? {};
  const text = (textAt(server, "url") ?? "/").replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = objectAt(variables, name);
    return variable === undefined ? whole : (textAt(variable, "default") ?? whole);
  });
  if (!URL.canParse(text, address?.href)) return undefined;
  const url = new URL(text, address?.href);
  const isUsable =
    /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && !/[{}]|%7B/i.test(url.href);
  return isUsable ? url : undefined;
}
