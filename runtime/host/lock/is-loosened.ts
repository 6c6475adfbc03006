import { type Access, accessOf, accessVerdict, ownAccess } from "../../../schemas/access/access.ts";
import { isLooser } from "../../../schemas/access/policy.ts";
import type { Config } from "../../../schemas/config/config.ts";
import type { LockedServer, LockedTool } from "../../../schemas/lock/lockfile.ts";
import { operationsOf } from "../../../schemas/lock/operations.ts";

/**
 * Whether a change of a server's claims would make the policy more lenient towards a tool: a server that starts to declare its `delete`
 * read-only is followed only with a person's approval.
 */
export function isLoosened(
  before: Pick<LockedServer, "tools" | "resources" | "prompts"> | undefined,
  after: LockedServer,
  config: Config,
): boolean {
  if (before === undefined) return false;
  const known = new Map(operationsOf(before).map((tool) => [tool.name, tool]));
  return accessesOf(config).some((access) =>
    operationsOf(after).some((tool) => {
      const old = known.get(tool.name);
      if (old === undefined || old.integrity === tool.integrity) return false;
      return isLooser(accessVerdict(access, after.id, tool), accessVerdict(access, after.id, old));
    }),
  );
}

function accessesOf(config: Config): Access[] {
  const clients = config.serve.clients.map((client) => accessOf({ kind: "http", client }, config));
  return [ownAccess(config.policy), ...clients];
}

/** The tools that servers had while this host runs, and that a followed change has removed. */
interface DroppedTools {
  remember(before: LockedServer, after: LockedServer): void;
  /** The server with the tools that it had earlier: one that comes back is compared with what it was. */
  addTo(server: LockedServer): Pick<LockedServer, "tools">;
  /** Whether a server has removed more tools than are remembered: it is followed no further. */
  isFull(serverId: string): boolean;
}

/** More than an honest server removes while a host runs. What one change removes is remembered whole. */
const MAX_DROPPED = 1000;

/** Keeps the entry that each removed tool had first, so that removing and adding a tool cannot loosen what the policy says of it. */
export function makeDroppedTools(): DroppedTools {
  const byServer = new Map<string, Map<string, LockedTool>>();
  return {
    remember: (before, after) => {
      const names = new Set(operationsOf(after).map(({ name }) => name));
      const tools = byServer.get(before.id) ?? new Map<string, LockedTool>();
      for (const tool of operationsOf(before))
        if (!names.has(tool.name) && !tools.has(tool.name)) tools.set(tool.name, tool);
      byServer.set(before.id, tools);
    },
    addTo: (server) => {
      const all = operationsOf(server);
      const names = new Set(all.map(({ name }) => name));
      const gone = [...(byServer.get(server.id)?.values() ?? [])].filter(({ name }) => !names.has(name));
      return { tools: [...all, ...gone] };
    },
    isFull: (serverId) => (byServer.get(serverId)?.size ?? 0) > MAX_DROPPED,
  };
}
