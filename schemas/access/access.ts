import { withoutUndefined } from "../json/without-undefined.ts";
import { DEFAULTS, type Policy, type ServerValues } from "../config/config-file.ts";
import { matchesAny } from "./glob.ts";
import type { LockedServer, Lockfile } from "../lock/lockfile.ts";
import { mapOperations, operationsOf, RESOURCE_PREFIX } from "../lock/operations.ts";
import { type EvaluatedTool, type PolicyVerdict, strictest, strictestVerdict } from "./policy.ts";
import type { ServedClient, ServeSettings } from "../config/serve-settings.ts";

/** What a caller may see and call. */
export interface Access {
  /** Absent for callers that are none of `serve.clients`. */
  client?: string;
  /** Glob patterns over server ids. */
  servers: readonly string[];
  /** The strictest of them decides on each tool: the project's, and the client's own. */
  policies: readonly Policy[];
  /** Tools of the program, as SERVER/TOOL, that its guards take out for this caller. */
  hidden?: readonly string[] | undefined;
  /** Tools of the program, as SERVER/TOOL, that ask for an approval of their calls by themselves. */
  asking?: readonly string[] | undefined;
  /** Whether a person answers through this caller. If not, what needs approval is refused and no question is put. */
  mayApprove: boolean;
  /** By server id, as written: servers that run for this client alone, with these values. */
  ownValues?: ReadonlyMap<string, ServerValues>;
}

/** Who runs scripts: a person at the terminal or the page of `codemode ui`, or the client of `codemode serve`. */
export type Caller = { kind: "person" } | { kind: "stdio" } | { kind: "http"; client?: ServedClient };

/** The access of a person who runs codemode. */
export function ownAccess(policy: Policy): Access {
  return { servers: ["*"], policies: [policy], mayApprove: true };
}

/**
 * What a caller may do. A client's own policy narrows the project's and never widens it: without `allow` it narrows by `ask` and `deny`
 * alone. Over HTTP approval comes from the client only where `mayApprove` says so: any program with the token could give it.
 */
export function accessOf(
  caller: Caller,
  { policy, serve }: { policy: Policy; serve: Pick<ServeSettings, "mayApprove"> },
): Access {
  const own = ownAccess(policy);
  if (caller.kind === "person") return own;
  if (caller.kind === "stdio") return { ...own, mayApprove: serve.mayApprove ?? true };
  const { client } = caller;
  if (client === undefined) return { ...own, mayApprove: serve.mayApprove ?? false };
  return {
    client: client.name,
    servers: client.servers,
    policies: [policy, { ...DEFAULTS.policy, ...client.policy }],
    mayApprove: client.mayApprove,
    ...withoutUndefined({ ownValues: client.ownValues }),
  };
}

/** What an access says of a call. What no person has accepted yet needs one. */
export function accessVerdict(access: Access, serverId: string, tool: EvaluatedTool): PolicyVerdict {
  if (!matchesAny(serverId, access.servers)) return "deny";
  const place = `${serverId}/${tool.name}`;
  if (access.hidden?.includes(place) === true) return "deny";
  const ofPolicies = strictestVerdict(access.policies, serverId, tool);
  const verdict = access.asking?.includes(place) === true ? strictest([ofPolicies, "askEach"]) : ofPolicies;
  return tool.pending !== undefined && verdict === "allow" ? "ask" : verdict;
}

/**
 * What an access says of a read of one resource. What it denies or asks for in another spelling of the URI counts; what it allows counts in
 * this spelling alone.
 */
export function resourceVerdict(access: Access, serverId: string, forms: readonly string[]): PolicyVerdict {
  const verdicts = forms.map((form, index) => {
    const policies = index === 0 ? access.policies : access.policies.map((policy) => ({ ...policy, allow: ["*"] }));
    const resource = { name: `${RESOURCE_PREFIX}${form}`, annotations: { readOnlyHint: true } };
    return accessVerdict({ ...access, policies }, serverId, resource);
  });
  return strictest(verdicts);
}

/** The lockfile without what may not be called: the rest of it is neither listed, typed, found nor imported. */
export function visibleLockfile(lockfile: Lockfile, access: Access): Lockfile {
  const all = [...lockfile.servers.values()];
  const visible = all.filter((server) => isVisible(server, access)).map((server) => visibleServer(server, access));
  if (visible.length === all.length && visible.every((server, index) => server === all[index])) return lockfile;
  return { servers: new Map(visible.map((server) => [server.id, server])) };
}

/** A server that offers nothing is connected all the same; one that does is hidden where none of it may be called. */
function isVisible(server: LockedServer, access: Access): boolean {
  const operations = operationsOf(server);
  if (operations.length === 0) return matchesAny(server.id, access.servers);
  return operations.some((tool) => accessVerdict(access, server.id, tool) !== "deny");
}

/** The server without what may not be called. */
export function visibleServer(server: LockedServer, access: Access): LockedServer {
  const visible = mapOperations(server, (tools) =>
    tools.filter((tool) => accessVerdict(access, server.id, tool) !== "deny"),
  );
  return operationsOf(visible).length === operationsOf(server).length ? server : { ...visible, isPartial: true };
}
