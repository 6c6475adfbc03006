import type { Config } from "../../schemas/config/config.ts";
import { tokenInvalid, tokenNeeded, tokenUnset } from "../../schemas/config/serve-errors.ts";
import { formatHost, isLoopback, type ListenAddress, parseListenAddress } from "./http-listener.ts";
import { valuesOf } from "../../engine/variables.ts";
import { createHash, timingSafeEqual } from "node:crypto";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type Access, accessOf } from "../../schemas/access/access.ts";
import { type PlaceholderValues, replacePlaceholders } from "@codemode/runtime/placeholders";

/** Where to listen, and to whom. It holds what tokens are known by, so it is not for printing. */
export interface HttpPlan {
  address: ListenAddress;
  clients: readonly HttpClient[];
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
  /** Of the token of the operator, who answers approvals over HTTP. */
  operatorDigest?: Buffer | undefined;
}

/** To listen on all addresses is not to be called by these. */
const ANY_ADDRESS = ["0.0.0.0", "::"];

/**
 * Checks what `--http` and the configuration ask for before anything is started. `address` is `[HOST:]PORT`.
 * Throws a `CodemodeError` for a bad address, a token that cannot be had, or an address beyond this machine without tokens.
 */
export function planHttp(address: string, config: Config, env: NodeJS.ProcessEnv = process.env): HttpPlan {
  const parsed = parseListenAddress(address);
  const clients = resolveHttpClients(config, env);
  if (!isLoopback(parsed.host) && clients.some(({ tokenDigest }) => tokenDigest === undefined)) {
    throw tokenNeeded(parsed.host);
  }
  const { allowedHosts, allowedOrigins } = config.serve;
  // A name of an attacker can resolve to the address, but it is not the address.
  const hosts = ANY_ADDRESS.includes(parsed.host) ? allowedHosts : [...allowedHosts, formatHost(parsed.host)];
  const operatorDigest = resolveOperator(config, clients, env);
  return { address: parsed, clients, allowedHosts: hosts, allowedOrigins, ...withoutUndefined({ operatorDigest }) };
}

/** A client that may send requests. */
export interface HttpClient {
  /** One object for each client as long as the process lives. */
  access: Access;
  /** The token itself is not kept. Absent if no token is required. */
  tokenDigest?: Buffer | undefined;
}

/** A hash, so that tokens of any length are compared in the same time. */
export function digestToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/**
 * All clients that may send requests: those of the configuration, and those with `serve.token`. Without a configured token, every client
 * that reaches the address.
 */
export function resolveHttpClients(config: Config, env: NodeJS.ProcessEnv): HttpClient[] {
  const { clients, token } = config.serve;
  const own = accessOf({ kind: "http" }, config);
  if (token === undefined && clients.length === 0) return [{ access: own }];
  const written = [
    ...clients.map((client) => ({
      owner: `"serve.clients.${client.name}"`,
      text: client.token,
      access: accessOf({ kind: "http", client }, config),
    })),
    ...(token === undefined ? [] : [{ owner: '"serve"', text: token, access: own }]),
  ];
  const owners = new Map<string, string>();
  const values = valuesOf(config, env);
  return written.map(({ owner, text, access }) => {
    const resolved = resolveToken(text, owner, values);
    const twin = owners.get(resolved);
    if (twin !== undefined) throw tokenInvalid(owner, `is also the token of ${twin}`);
    owners.set(resolved, owner);
    return { access, tokenDigest: digestToken(resolved) };
  });
}

/** A client with the token of the operator would approve its own calls. */
function resolveOperator(config: Config, clients: readonly HttpClient[], env: NodeJS.ProcessEnv): Buffer | undefined {
  const { operatorToken } = config.serve;
  if (operatorToken === undefined) return undefined;
  const owner = '"serve.operatorToken"';
  const digest = digestToken(resolveToken(operatorToken, owner, valuesOf(config, env)));
  if (clients.some(({ tokenDigest }) => tokenDigest?.equals(digest) === true))
    throw tokenInvalid(owner, "is also the token of a client");
  return digest;
}

/** The value of a token as it is written. Throws a `CodemodeError` that names its owner. */
export function resolveToken(text: string, owner: string, values: PlaceholderValues): string {
  const token = replacePlaceholders(text, values, (variable) => tokenUnset(owner, variable));
  if (token === "") throw tokenInvalid(owner, "is empty");
  if (!TOKEN.test(token)) throw tokenInvalid(owner, "has a character that no Authorization header can carry");
  return token;
}

/** What a client can send after `Bearer `; wider than the `token68` of RFC 6750, which some generators ignore. */
const TOKEN = /^[\x21-\x7e]+$/;

/** The token of an Authorization header, as RFC 6750 writes it; undefined where there is none. */
export function readBearer(authorization: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "")?.[1];
}

/** The client whose token the Authorization header carries; every token is looked at, so that time tells nothing. */
export function identifyClient(
  authorization: string | undefined,
  clients: readonly HttpClient[],
): HttpClient | undefined {
  const token = readBearer(authorization);
  const digest = token === undefined ? undefined : digestToken(token);
  let found: HttpClient | undefined;
  for (const client of clients) {
    if (client.tokenDigest === undefined) found ??= client;
    else if (digest !== undefined && timingSafeEqual(digest, client.tokenDigest)) found = client;
  }
  return found;
}
