import { type Access, accessVerdict, clientAccess, ownAccess } from "../../schemas/access.ts";
import type { Config } from "../../schemas/config.ts";
import type { LockedServer } from "../../schemas/lockfile.ts";
import type { PolicyVerdict } from "../../schemas/policy.ts";

const STRICTNESS: Record<PolicyVerdict, number> = { allow: 0, ask: 1, deny: 2 };

/**
 * Tells whether a change of a server's own claims would let somebody call a tool more freely than before: a server that
 * begins to call its `delete` read-only is not followed without a person.
 */
export function isLoosened(before: LockedServer | undefined, after: LockedServer, config: Config): boolean {
  if (before === undefined) return false;
  const known = new Map(before.tools.map((tool) => [tool.name, tool]));
  return accessesOf(config).some((access) =>
    after.tools.some((tool) => {
      const old = known.get(tool.name);
      if (old === undefined || old.integrity === tool.integrity) return false;
      const verdict = accessVerdict(access, after.id, tool);
      return STRICTNESS[verdict] < STRICTNESS[accessVerdict(access, after.id, old)];
    }),
  );
}

function accessesOf({ policy, serve }: Config): Access[] {
  return [ownAccess(policy), ...serve.clients.map((client) => clientAccess(client, policy))];
}
