import type { DriftView } from "../../../schemas/ui-messages.ts";
import { lockServers } from "../../../engine/project/lock-servers.ts";
import { RouteProblem } from "../route-problem.ts";
import type { UiProject } from "../ui-project.ts";

/** How a live server differs from the lockfile. It is started for that, and nothing is written. */
export async function findDrift({ config, host }: UiProject, serverId: string): Promise<DriftView> {
  const accepted = host.lockfile();
  if (!config.servers.some(({ id }) => id === serverId)) {
    throw new RouteProblem(404, "The configuration has no server of that name.");
  }
  const { changes, failures } = await lockServers(config, accepted, [serverId]);
  if (failures[0] !== undefined) throw failures[0].error;
  const change = changes.find((entry) => entry.serverId === serverId);
  return change === undefined ? {} : { change };
}
