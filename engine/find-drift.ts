import type { Config } from "../schemas/config/config.ts";
import type { ServerChange } from "../schemas/diff/diff-lockfiles.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import { lockServers } from "./project/lock-servers.ts";

/**
 * How a live server differs from what is accepted; undefined where it does not. It is started for that, and nothing is written.
 * @throws CodemodeError where the server does not answer
 */
export async function findDrift(
  config: Config,
  accepted: Lockfile,
  serverId: string,
): Promise<ServerChange | undefined> {
  const { changes, failures } = await lockServers(config, accepted, [serverId]);
  if (failures[0] !== undefined) throw failures[0].error;
  return changes.find((change) => change.serverId === serverId);
}
