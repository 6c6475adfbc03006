import type { DriftView } from "../../../../schemas/ui-messages.ts";
import { findDrift as findDriftOf } from "../../../../engine/live-servers.ts";
import { RouteProblem } from "../route-problem.ts";
import type { UiProject } from "../ui-project.ts";

/** How a live server differs from the lockfile. It is started for that, and nothing is written. */
export async function findDrift({ config, host }: UiProject, serverId: string): Promise<DriftView> {
  if (!config.servers.some(({ id }) => id === serverId)) {
    throw new RouteProblem(404, "The configuration has no server of that name.");
  }
  const change = await findDriftOf(config, host.lockfile(), serverId);
  return change === undefined ? {} : { change };
}
