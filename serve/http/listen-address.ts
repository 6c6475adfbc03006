import { optionInvalid } from "../../schemas/errors.ts";

/** Where a server listens. */
export interface ListenAddress {
  /** A name or an address; that of IPv6 without brackets. */
  host: string;
  /** 0 for any free port. */
  port: number;
}

const DEFAULT_HOST = "127.0.0.1";

/** Reads `[HOST:]PORT`, with the address of IPv6 in brackets: `8080`, `0.0.0.0:8080`, `[::1]:8080`. */
export function parseListenAddress(text: string, option = "--http"): ListenAddress {
  const match = /^(?:(?:\[(?<address>[0-9a-fA-F:.]+)\]|(?<name>[A-Za-z0-9.-]+)):)?(?<port>\d{1,5})$/.exec(text);
  const port = Number(match?.groups?.["port"]);
  if (match === null || port > 65_535) throw optionInvalid(option, "write [HOST:]PORT, for example 8080");
  return { host: match.groups?.["address"] ?? match.groups?.["name"] ?? DEFAULT_HOST, port };
}

/** The host as it stands in a URL. */
export function formatHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Tells whether only this machine can reach a host, written as in a URL or without brackets. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
