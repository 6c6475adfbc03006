import { byCodeUnits } from "../schemas/json/canonical-json.ts";
import type { LockedServer, Lockfile } from "../schemas/lock/lockfile.ts";

/** The servers as the lockfile's text has them, whichever was accepted last: what an agent is shown must stay the same bytes. */
export function serversInOrder({ servers }: Lockfile): LockedServer[] {
  return [...servers.values()].toSorted((left, right) => byCodeUnits(left.id, right.id));
}

/** How many tools some servers have together. */
export function countTools(servers: readonly LockedServer[]): number {
  return servers.reduce((count, { tools }) => count + tools.length, 0);
}
