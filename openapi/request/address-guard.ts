import { lookup, promises } from "node:dns";
import { BlockList, isIP, isIPv6 } from "node:net";
import type { LookupFunction } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { OpenApiError } from "../openapi-error.ts";

/** Which addresses of the network a request may reach. */
export interface AddressGuard {
  /** Throws where the host is a literal address that is refused. */
  assertHost(hostname: string): void;
  /** Resolves a name and refuses what is not public, at the moment of the connection. */
  lookup?: LookupFunction;
}

/** For an address that a person gave. */
export const ANY_ADDRESS: AddressGuard = { assertHost: () => undefined };

/** For an address out of a document: only the public network. */
export const PUBLIC_ADDRESSES: AddressGuard = {
  assertHost(hostname) {
    const literal = hostname.replace(/^\[(.*)\]$/, "$1");
    if (isIP(literal) !== 0 && !isPublic(literal)) throw refused(hostname);
  },
  lookup(hostname, options, callback) {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = error === null ? addresses : [];
      // One private address is enough: which one is used is not in our hands.
      if (error !== null) callback(error, "", 0);
      else if (first === undefined || addresses.some(({ address }) => !isPublic(address)))
        callback(refused(hostname), "", 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  },
};

const BLOCKED = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  BLOCKED.addSubnet(network, prefix, "ipv4");
}
/** Of IPv6 only global unicast is public; within it, tunnels and documentation are not. */
const GLOBAL_UNICAST = new BlockList();
GLOBAL_UNICAST.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  BLOCKED.addSubnet(network, prefix, "ipv6");
}

/** Whether an address is of the public network. */
export function isPublic(address: string): boolean {
  if (!isIPv6(address)) return !BLOCKED.check(address, "ipv4");
  return GLOBAL_UNICAST.check(address, "ipv6") && !BLOCKED.check(address, "ipv6");
}

/** How far a host is: this machine, a network of one's own, the public one, or what is none of them, as link-local addresses. */
export type Reach = "machine" | "network" | "public" | "other";

const OWN_MACHINE = new BlockList();
OWN_MACHINE.addSubnet("127.0.0.0", 8, "ipv4");
OWN_MACHINE.addAddress("0.0.0.0", "ipv4");
OWN_MACHINE.addAddress("::1", "ipv6");
OWN_MACHINE.addAddress("::", "ipv6");
const OWN_NETWORK = new BlockList();
OWN_NETWORK.addSubnet("10.0.0.0", 8, "ipv4");
OWN_NETWORK.addSubnet("100.64.0.0", 10, "ipv4");
OWN_NETWORK.addSubnet("172.16.0.0", 12, "ipv4");
OWN_NETWORK.addSubnet("192.168.0.0", 16, "ipv4");
OWN_NETWORK.addSubnet("fc00::", 7, "ipv6");

/** A name that takes longer to resolve counts as public: each request looks again. */
const RESOLVE_MS = 2_000;

/** Says how far a host of a document is. A name is resolved; one that cannot be is taken as public. */
export async function findReach(hostname: string): Promise<Reach> {
  const literal = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(literal) !== 0) return reachOf(literal);
  const found = promises.lookup(literal, { all: true }).catch(() => []);
  const late = delay(RESOLVE_MS, [], { ref: false });
  const reaches = (await Promise.race([found, late])).map(({ address }) => reachOf(address));
  const order: Reach[] = ["other", "machine", "network"];
  return order.find((reach) => reaches.includes(reach)) ?? "public";
}

function reachOf(address: string): Reach {
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  if (OWN_MACHINE.check(address, family)) return "machine";
  if (OWN_NETWORK.check(address, family)) return "network";
  return isPublic(address) ? "public" : "other";
}

function refused(hostname: string): OpenApiError {
  const cause = `the server ${hostname} of the document is not of the public network`;
  return new OpenApiError("SERVER_REFUSED", cause, "If you trust it, give its address with --base-url.");
}
