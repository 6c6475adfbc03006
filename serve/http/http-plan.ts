import type { Config } from "../../schemas/config/config.ts";
import { tokenNeeded } from "../../schemas/config/serve-errors.ts";
import { type HttpClient, resolveHttpClients } from "./http-clients.ts";
import { formatHost, isLoopback, type ListenAddress, parseListenAddress } from "./listen-address.ts";

/** Where to listen, and to whom. It holds what tokens are known by, so it is not for printing. */
export interface HttpPlan {
  address: ListenAddress;
  clients: readonly HttpClient[];
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
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
  return { address: parsed, clients, allowedHosts: hosts, allowedOrigins };
}
