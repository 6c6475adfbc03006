import type { LockedServer, LockedTool, Lockfile } from "../../../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../../../schemas/lock/operations.ts";
import type { ToolPlace } from "../../../schemas/ui-messages.ts";
import { RouteProblem } from "./route-problem.ts";

/** A locked tool, and the server that it belongs to. */
export function findLockedTool(
  lockfile: Lockfile,
  { serverId, toolName }: ToolPlace,
): { server: LockedServer; tool: LockedTool } {
  const server = modulesOfLockfile(lockfile).get(serverId);
  const tool = server?.tools.find(({ name }) => name === toolName);
  if (server === undefined || tool === undefined) {
    throw new RouteProblem(404, "There is no such tool in the lockfile.", "Reload the page to see what there is now.");
  }
  return { server, tool };
}
