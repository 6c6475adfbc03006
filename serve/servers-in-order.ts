import { byCodeUnits } from "../schemas/json/canonical-json.ts";
import type { LockedServer, Lockfile } from "../schemas/lock/lockfile.ts";
import { modulesOf } from "../schemas/lock/operations.ts";

/** The servers as the lockfile's text has them, whichever was accepted last: what an agent is shown must stay the same bytes. */
export function serversInOrder({ servers }: Lockfile): LockedServer[] {
  return [...servers.values()].toSorted((left, right) => byCodeUnits(left.id, right.id));
}

/** What can be imported of the servers: first the tools of all, then resources and prompts. */
export function modulesInOrder(lockfile: Lockfile): LockedServer[] {
  const modules = serversInOrder(lockfile).map(modulesOf);
  return [...modules.flatMap(([tools]) => tools ?? []), ...modules.flatMap(([, ...others]) => others)];
}

/** How many tools some servers have together. */
export function countTools(servers: readonly LockedServer[]): number {
  return servers.reduce((count, { tools }) => count + tools.length, 0);
}
