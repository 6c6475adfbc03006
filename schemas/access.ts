import type { Policy } from "./config.ts";
import { matchesAny } from "./glob.ts";
import type { LockedServer, Lockfile } from "./lockfile.ts";
import { type JudgedTool, policyVerdict, type PolicyVerdict } from "./policy.ts";
import type { ServedClient } from "./serve-settings.ts";

/** What somebody may see and call. */
export interface Access {
  /** Absent for whoever runs codemode without being one of `serve.clients`. */
  client?: string;
  /** Glob patterns over server ids. */
  servers: readonly string[];
  policy: Policy;
}

/** The access of whoever runs codemode. */
export function ownAccess(policy: Policy): Access {
  return { servers: ["*"], policy };
}

/** The access of a named client: its own `allow` and `ask` where it has them, and whatever either policy denies is denied. */
export function clientAccess({ name, servers, policy = {} }: ServedClient, base: Policy): Access {
  const deny = [...base.deny, ...(policy.deny ?? [])];
  return { client: name, servers, policy: { allow: policy.allow ?? base.allow, ask: policy.ask ?? base.ask, deny } };
}

/** What somebody's access says of a call. */
export function accessVerdict(access: Access, serverId: string, tool: JudgedTool): PolicyVerdict {
  return matchesAny(serverId, access.servers) ? policyVerdict(access.policy, serverId, tool) : "deny";
}

/** The lockfile without what may not be called: the rest of it is neither listed, typed, found nor imported. */
export function visibleLockfile(lockfile: Lockfile, access: Access): Lockfile {
  const all = [...lockfile.servers.values()];
  const visible = all.filter((server) => isVisible(server, access)).map((server) => visibleServer(server, access));
  if (visible.length === all.length && visible.every((server, index) => server === all[index])) return lockfile;
  return { servers: new Map(visible.map((server) => [server.id, server])) };
}

/** A server that has no tools is connected all the same; one that has some is hidden where none of them may be called. */
function isVisible({ id, tools }: LockedServer, access: Access): boolean {
  if (tools.length === 0) return matchesAny(id, access.servers);
  return tools.some((tool) => accessVerdict(access, id, tool) !== "deny");
}

/** The server without the tools that may not be called. */
export function visibleServer(server: LockedServer, access: Access): LockedServer {
  const tools = server.tools.filter((tool) => accessVerdict(access, server.id, tool) !== "deny");
  return tools.length === server.tools.length ? server : { ...server, tools, isPartial: true };
}
