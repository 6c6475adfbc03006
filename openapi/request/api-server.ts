import type { OpenApiServerOptions } from "../server-options.ts";
import type { ApiDocument } from "../document/parse-document.ts";
import { type JsonObject, arrayAt, isObject } from "../json.ts";
import { OpenApiError } from "../openapi-error.ts";
import type { Operation } from "../operations.ts";
import { type AddressGuard, ANY_ADDRESS, PUBLIC_ADDRESSES } from "./address-guard.ts";
import {
  type AddressVariable,
  assertSettled,
  type GivenVariables,
  readServerAddress,
  readServerVariables,
  type ServerAddress,
} from "./server-address.ts";

/** Where the requests of an operation go. */
export interface ApiServer {
  url: URL;
  guard: AddressGuard;
  /** Whether headers and logins go there. */
  isTrusted: boolean;
}

/** What a person says about servers. */
type GivenServers = Pick<OpenApiServerOptions, "baseUrl" | "serverVariables" | "trustOrigins" | "origin">;

/** The origins that headers and logins go to. */
export interface TrustedOrigins {
  /** What an address of the document without a host belongs to. */
  base: URL | undefined;
  /** The variables in it; none where a person gave the whole address. */
  variables: AddressVariable[];
  /** What a person gave for variables of servers. */
  given: GivenVariables;
  /** Whether logins go to an address. */
  has: (url: URL) => boolean;
  /** What of the network an address may reach. */
  guardOf: (url: URL) => AddressGuard;
}

/**
 * Logins go to the first server of the document, or `--base-url`, and to origins that a person trusts.
 * @throws OpenApiError (`SERVER_REFUSED`) where the address of the first server has a variable without a value
 */
export function listTrusted(document: ApiDocument, options: GivenServers): TrustedOrigins {
  const { baseUrl, trustOrigins = [], origin, serverVariables = [] } = options;
  const trusted = trustOrigins.map((one) => parseBase(one, "--trust-origin").origin);
  const given = readServerVariables(document, serverVariables);
  const byHand = baseUrl === undefined ? undefined : parseBase(baseUrl, "--base-url");
  const main = byHand === undefined ? findMain(document, given) : undefined;
  if (main !== undefined) assertSettled(main);
  const base = byHand ?? main?.url;
  if (origin !== undefined) assertOrigin(base, origin);
  const ownWord = new Set([...trusted, byHand?.origin, document.address?.origin]);
  return {
    ...{ base, given, variables: main?.variables ?? [] },
    has: (url) => url.origin === base?.origin || trusted.includes(url.origin),
    guardOf: (url) => (ownWord.has(url.origin) ? ANY_ADDRESS : PUBLIC_ADDRESSES),
  };
}

/** Where the document sends everything: its first server, else the place that it was read from. */
function findMain(document: ApiDocument, given: GivenVariables): ServerAddress | undefined {
  const servers = arrayAt(document.root, "servers").filter(isObject);
  if (servers.length === 0 && document.address === undefined) return undefined;
  return findServer(servers, document, given);
}

/** Finds the server of each operation. An address that a person gave may be private, one of the document may not. */
export function locateServers(
  document: ApiDocument,
  { baseUrl }: GivenServers,
  trust: TrustedOrigins,
): (operation: Operation) => ApiServer {
  return ({ servers, pointer }) => {
    // The first server of the document is where it sends everything; one of a single operation is not.
    const url =
      (baseUrl === undefined ? undefined : trust.base) ?? chooseServer(servers, document, trust.given, pointer);
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

function chooseServer(servers: JsonObject[], document: ApiDocument, given: GivenVariables, pointer: string): URL {
  const chosen = findServer(servers, document, given)?.url;
  if (chosen !== undefined) return chosen;
  const cause = `${pointer}: the document does not say at which address the server is`;
  throw new OpenApiError("SERVER_REFUSED", cause, "Give it with --base-url.");
}

/** The first server; the same host with https, where the document has both. */
function findServer(servers: JsonObject[], document: ApiDocument, given: GivenVariables): ServerAddress | undefined {
  const all = (servers.length === 0 ? [{ url: "/" }] : servers).map((server) =>
    readServerAddress(server, document, given),
  );
  const [first] = all;
  const secure = all.find(({ url }) => url?.protocol === "https:" && url.hostname === first?.url?.hostname);
  return first?.url?.protocol === "http:" ? (secure ?? first) : first;
}
