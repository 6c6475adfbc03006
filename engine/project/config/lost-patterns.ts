import { nearestTool } from "@codemode/runtime/nearest-name";
import { matchesAny } from "../../../schemas/access/glob.ts";
import { policyVerdict } from "../../../schemas/access/policy.ts";
import type { Config, ServerConfig } from "../../../schemas/config/config.ts";
import type { Policy } from "../../../schemas/config/config-file.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { operationsOf } from "../../../schemas/lock/operations.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";

/** A pattern of the configuration that matches nothing: a misspelt one in `deny` denies nothing. */
export interface LostPattern {
  /** The key in the configuration, such as `policy.deny`. */
  place: string;
  pattern: string;
  /** What it most likely means. */
  nearest?: string;
}

/** The patterns over tools, and over servers of clients, that match nothing which is locked. Of a server that is not locked nothing is known. */
export function findLostPatterns(config: Config, lockfile: Lockfile): LostPattern[] {
  const servers = [...lockfile.servers.values()];
  const unlocked = config.servers.filter(({ id }) => !lockfile.servers.has(id));
  const ids = [...new Set([...servers, ...config.servers].map(({ id }) => id))];
  const names = servers.flatMap((server) => operationsOf(server).map(({ name }) => `${server.id}/${name}`));
  const isFound = (pattern: string): boolean => {
    const [wanted = ""] = pattern.split("/", 1);
    if (isPrecaution(pattern)) return true;
    if (isClaim(pattern)) return ids.some((id) => matchesAny(id, [pattern.includes("/") ? wanted : "*"]));
    if (unlocked.some(({ id }) => matchesAny(id, [pattern.includes("/") ? wanted : pattern]))) return true;
    if (config.servers.some((server) => isExcluded(server, pattern))) return true;
    const policy: Policy = { allow: [pattern], ask: [], deny: [] };
    // A pattern over a single resource means what can read it.
    return servers.some(({ id, ...rest }) =>
      operationsOf(rest).some((tool) => policyVerdict(policy, id, tool) === "allow"),
    );
  };
  const lost = listPatterns(config).filter(({ pattern }) => pattern !== "*" && !isFound(pattern));
  const lostServers = config.serve.clients.flatMap((client) =>
    client.servers
      .filter((pattern) => !ids.some((id) => matchesAny(id, [pattern])))
      .map((pattern) => ({
        place: `serve.clients.${client.name}.servers`,
        pattern,
        nearest: nearestTool(pattern, ids),
      })),
  );
  return [
    ...lost.map(({ place, pattern }) => ({
      place,
      pattern,
      nearest: isClaim(pattern) ? undefined : nearestTool(pattern, names),
    })),
    ...lostServers,
  ].map(withoutUndefined);
}

/**
 * The patterns of a server's filter that match none of its tools.
 * @param names what the server lists; where only what the filter has left is known, nothing is said of what it takes out
 */
export function findLostFilters(
  { name, tools: { include, exclude } }: ServerConfig,
  names: readonly string[],
  { isFiltered }: { isFiltered: boolean },
): LostPattern[] {
  const place = `mcpServers.${name}.tools`;
  const isFound = (pattern: string): boolean => names.some((tool) => matchesAny(tool, [pattern]));
  const toLost = (key: string) => (pattern: string) =>
    withoutUndefined({ place: `${place}.${key}`, pattern, nearest: nearestTool(pattern, names) });
  return [
    ...include
      .filter((pattern) => !isFound(pattern) && !(isFiltered && matchesAny(pattern, exclude)))
      .map(toLost("include")),
    ...exclude.filter((pattern) => !isFiltered && !isFound(pattern)).map(toLost("exclude")),
  ];
}

/** All of a configuration that is lost by what the lockfile says. */
export function findLostByLockfile(config: Config, lockfile: Lockfile): LostPattern[] {
  const filters = config.servers.flatMap((server) => {
    const locked = lockfile.servers.get(server.id);
    const names = locked && operationsOf(locked).map((tool) => tool.name);
    return names === undefined ? [] : findLostFilters(server, names, { isFiltered: true });
  });
  return [...findLostPatterns(config, lockfile), ...filters];
}

/** `"s/ecoh" in policy.deny (did you mean "s/echo"?)`. */
export function printLost({ place, pattern, nearest }: LostPattern): string {
  return `"${pattern}" in ${place}${nearest === undefined ? "" : ` (did you mean "${nearest}"?)`}`;
}

/** One warning for each. */
export function warnOfLost(lost: readonly LostPattern[]): string[] {
  return lost.map((pattern) => `warning: nothing matches ${printLost(pattern)}`);
}

/** A tool that the filter of its server takes out is nothing that a pattern has to find. */
function isExcluded({ id, tools }: ServerConfig, pattern: string): boolean {
  return pattern.startsWith(`${id}/`) && matchesAny(pattern.slice(id.length + 1), tools.exclude);
}

/** A rule with a star over the tools of every server also means tools that may come. */
function isPrecaution(pattern: string): boolean {
  return pattern.startsWith("*/") && /[*?]/.test(pattern.slice(2));
}

/** What a server claims of its tools may become true tomorrow: only the server in it has to be there. */
function isClaim(pattern: string): boolean {
  return /^(?:[^/]*\/)?@/.test(pattern);
}

function listPatterns({ policy, serve, outputs }: Config): LostPattern[] {
  const ofPolicy = (place: string, { allow = [], ask = [], askEach = [], deny = [] }: Partial<Policy>): LostPattern[] =>
    Object.entries({ allow, ask, askEach, deny }).flatMap(([key, patterns]) =>
      patterns.map((pattern) => ({ place: `${place}.${key}`, pattern })),
    );
  return [
    ...ofPolicy("policy", policy),
    ...serve.clients.flatMap((client) => ofPolicy(`serve.clients.${client.name}.policy`, client.policy ?? {})),
    ...serve.direct.map((pattern) => ({ place: "serve.direct", pattern })),
    ...[...outputs.keys()].map((pattern) => ({ place: "outputs", pattern })),
  ];
}
