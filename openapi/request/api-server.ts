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

/** Finds the server of each operation. An address that a person gave may be private, one of the document may not. */
export function locateServers(document: ApiDocument, options: ServerOptions): (operation: Operation) => ApiServer {
  const { baseUrl } = options;
  if (baseUrl !== undefined) {
    const server = { url: parseBase(baseUrl, "--base-url"), guard: ANY_ADDRESS, isTrusted: true };
    return () => server;
  }
  const trusted = (options.trustOrigins ?? []).map((origin) => parseBase(origin, "--trust-origin").origin);
  assertOrigin(document, options.origin);
  const byHand = new Set([...trusted, ...(document.address === undefined ? [] : [document.address.origin])]);
  return ({ servers, pointer }) => {
    const url = chooseServer(servers, document, pointer);
    const isTrusted = url.origin === mainOrigin(document, pointer) || trusted.includes(url.origin);
    return { url, guard: byHand.has(url.origin) ? ANY_ADDRESS : PUBLIC_ADDRESSES, isTrusted };
  };
}

/**
 * The origin of the first server of a document, which logins go to: it is where the document sends everything, which a server of a single operation is
 * not. Undefined where the document has none.
 */
export function mainOrigin(document: ApiDocument, pointer = "#/servers"): string | undefined {
  const servers = arrayAt(document.root, "servers").filter(isObject);
  const hasMain = servers.length > 0 || document.address !== undefined;
  return hasMain ? chooseServer(servers, document, pointer).origin : undefined;
}

function assertOrigin(document: ApiDocument, origin: string | undefined): void {
  if (origin === undefined) return;
  const expected = parseBase(origin, "--origin").origin;
  const found = mainOrigin(document) ?? "nowhere";
  if (found === expected) return;
  const cause = `#/servers: the document is for ${found}, and --origin says ${expected}`;
  throw new OpenApiError("SERVER_REFUSED", cause, "Review the document. If the API has moved, change --origin.");
}

function parseBase(text: string, option: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url;
  const hint = "Write it as https://api.example/v1; a login goes into --header or the environment.";
  throw new OpenApiError("COMMAND_INVALID", `${option} is no address`, hint);
}

/** The first server; the same host with https, where the document has both. */
function chooseServer(servers: JsonObject[], document: ApiDocument, pointer: string): URL {
  const urls = (servers.length === 0 ? [{ url: "/" }] : servers).map((server) => toUrl(server, document));
  const [first] = urls;
  const secure = urls.find((url) => url?.protocol === "https:" && url.hostname === first?.hostname);
  const chosen = first?.protocol === "http:" ? (secure ?? first) : first;
  if (chosen !== undefined) return chosen;
  const cause = `${pointer}: the document does not say at which address the server is`;
  throw new OpenApiError("SERVER_REFUSED", cause, "Give it with --base-url.");
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
