import { type Access, accessOf, accessVerdict, ownAccess } from "../../../schemas/access/access.ts";
import type { Config } from "../../../schemas/config/config.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { operationsOf } from "../../../schemas/lock/operations.ts";
import { isLooser } from "../../../schemas/access/policy.ts";

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
