import type { Config } from "../../schemas/config/config.ts";
import { DEFAULT_POLICY, type Policy } from "../../schemas/config/policy-settings.ts";
import { type Finding, ok, printSome, toFinding, warning } from "./doctor-report.ts";
import { matchesAny } from "../../schemas/access/glob.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { operationsOf } from "../../schemas/lock/operations.ts";
import { isLooser, policyVerdict } from "../../schemas/access/policy.ts";

/** Patterns that mean nothing which is locked: a misspelt one in `deny` denies nothing. */
export function evaluatePolicy(config: Config, lockfile: Lockfile): Finding[] {
  const servers = [...lockfile.servers.values()];
  const matches = (pattern: string): boolean =>
    isClaim(pattern)
      ? servers.some(({ id }) => matchesAny(id, [pattern.includes("/") ? (pattern.split("/")[0] as string) : "*"]))
      : servers.some((server) => operationsOf(server).some((tool) => mayMean(pattern, server.id, tool)));
  const all = listPatterns(config);
  const lost = all.filter(({ pattern }) => pattern !== "*" && !matches(pattern));
  const lostServers = config.serve.clients.flatMap(({ name, servers: wanted }) =>
    wanted
      .filter((pattern) => pattern !== "*" && !servers.some(({ id }) => matchesAny(id, [pattern])))
      .map((pattern) => ({ place: `serve.clients.${name}.servers`, pattern })),
  );
  return [
    evaluate(
      "policy.patterns",
      "patterns",
      [...lost, ...lostServers],
      "patterns match",
      "see `codemode tools` for the names",
    ),
    ...evaluateFilters(config, lockfile),
    ...evaluateClientPolicies(config, servers),
  ];
}

/** A pattern over a single resource means what can read it. */
function mayMean(pattern: string, serverId: string, tool: LockedTool): boolean {
  return policyVerdict({ allow: [pattern], ask: [], deny: [] }, serverId, tool) === "allow";
}

/** A client's policy narrows the project's: what it allows beyond that it does not get. */
function evaluateClientPolicies({ policy, serve }: Config, servers: readonly LockedServer[]): Finding[] {
  const withPolicy = serve.clients.filter((client) => client.policy?.allow !== undefined);
  if (withPolicy.length === 0) return [];
  const less = withPolicy.flatMap((client) => {
    const { allow, ...others } = { ...DEFAULT_POLICY, ...client.policy };
    const own = { ...others, allow: allow.filter((pattern) => pattern !== "*") };
    return servers
      .filter(({ id }) => matchesAny(id, client.servers))
      .flatMap((server) =>
        operationsOf(server)
          .map((tool) => ({
            name: `${server.id}/${tool.name}`,
            wanted: policyVerdict(own, server.id, tool),
            given: policyVerdict(policy, server.id, tool),
          }))
          .filter(({ wanted, given }) => isLooser(wanted, given))
          .map(({ name, given }) => `${client.name}: ${name} (${given})`),
      );
  });
  const subject = "policies of clients";
  if (less.length === 0) return [toFinding("policy.clients", subject, ok("allow nothing beyond the project's"))];
  const verdict = warning(
    `the project's policy gives less than the client's: ${printSome(less)}`,
    'A client gets what both policies allow: allow the tools in "policy" too, or remove them from the client\'s.',
  );
  return [toFinding("policy.clients", subject, verdict, { less })];
}

interface Placed {
  /** The key in the configuration. */
  place: string;
  pattern: string;
}

/** What a server claims of its tools may become true tomorrow: only the server in it has to be there. */
function isClaim(pattern: string): boolean {
  return /^(?:[^/]*\/)?@/.test(pattern);
}

function listPatterns({ policy, serve, outputs }: Config): Placed[] {
  const ofPolicy = (place: string, { allow = [], ask = [], askEach = [], deny = [] }: Partial<Policy>): Placed[] =>
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

/** Of the tools that a filter takes out nothing is locked: only what it takes in can be looked at. */
function evaluateFilters({ servers }: Config, lockfile: Lockfile): Finding[] {
  const placed = servers.flatMap(({ id, name, tools }) => {
    const locked = lockfile.servers.get(id);
    if (locked === undefined) return [];
    return tools.include
      .filter((pattern) => !operationsOf(locked).some((tool) => matchesAny(tool.name, [pattern])))
      .map((pattern) => ({ place: `mcpServers.${name}.tools.include`, pattern }));
  });
  if (servers.every(({ tools }) => tools.include.length === 0)) return [];
  return [
    evaluate("policy.filters", "tool filters", placed, "names match", "`codemode lock` looks at the servers again"),
  ];
}

function evaluate(id: string, subject: string, lost: readonly Placed[], what: string, how: string): Finding {
  if (lost.length === 0) return toFinding(id, subject, ok(`all ${what} something`));
  const shown = lost.map(({ place, pattern }) => `"${pattern}" in ${place}`);
  const verdict = warning(`no tool matches ${printSome(shown)}`, `Correct or remove them; ${how}.`);
  return toFinding(id, subject, verdict, { unmatched: lost.map(({ place, pattern }) => `${place}: ${pattern}`) });
}
