import type { Config } from "../../schemas/config/config.ts";
import { findLostByLockfile, type LostPattern, printLost } from "../../engine/project/config/lost-patterns.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import { type Finding, ok, printSome, toFinding, warning } from "./doctor-report.ts";
import { matchesAny } from "../../schemas/access/glob.ts";
import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import { operationsOf } from "../../schemas/lock/operations.ts";
import { isLooser, policyVerdict } from "../../schemas/access/policy.ts";

/** Patterns that mean nothing which is locked, filters that take in nothing, and policies of clients that give less than they say. */
export function evaluatePolicy(config: Config, lockfile: Lockfile): Finding[] {
  const isFilter = ({ place }: LostPattern): boolean => place.startsWith("mcpServers.");
  const lost = findLostByLockfile(config, lockfile);
  const hasFilters = config.servers.some(({ tools }) => tools.include.length > 0);
  return [
    evaluate(
      "policy.patterns",
      "patterns",
      lost.filter((pattern) => !isFilter(pattern)),
      "patterns match",
      "see `codemode tools` for the names",
    ),
    ...(hasFilters
      ? [
          evaluate(
            "policy.filters",
            "tool filters",
            lost.filter(isFilter),
            "names match",
            "`codemode lock` looks at the servers again",
          ),
        ]
      : []),
    ...evaluateClientPolicies(config, [...lockfile.servers.values()]),
  ];
}

/** A client's policy narrows the project's: what it allows beyond that it does not get. */
function evaluateClientPolicies({ policy, serve }: Config, servers: readonly LockedServer[]): Finding[] {
  const withPolicy = serve.clients.filter((client) => client.policy?.allow !== undefined);
  if (withPolicy.length === 0) return [];
  const less = withPolicy.flatMap((client) => {
    const { allow, ...others } = { ...DEFAULTS.policy, ...client.policy };
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

function evaluate(id: string, subject: string, lost: readonly LostPattern[], what: string, how: string): Finding {
  if (lost.length === 0) return toFinding(id, subject, ok(`all ${what} something`));
  const verdict = warning(`no tool matches ${printSome(lost.map(printLost))}`, `Correct or remove them; ${how}.`);
  return toFinding(id, subject, verdict, { unmatched: lost.map(({ place, pattern }) => `${place}: ${pattern}`) });
}
