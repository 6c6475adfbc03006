import { toolIndexOf } from "../runtime/host/discovery/tool-index.ts";
import type { LockedServer, LockedTool, Lockfile } from "../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../schemas/lock/operations.ts";

export { splitWords, toStem } from "../runtime/host/discovery/words.ts";

/** A tool that was found, and where. */
export interface FoundTool {
  /** The module that has it (`modulesOf`). */
  server: LockedServer;
  tool: LockedTool;
}

/** Searches the tools of a lockfile, the best match first. */
export function searchLockedTools(
  lockfile: Lockfile,
  query: string,
  options: { serverId?: string | undefined; limit: number },
): FoundTool[] {
  return toolIndexOf(lockfile)
    .search(query, options)
    .flatMap(({ serverId, toolName }) => {
      const server = modulesOfLockfile(lockfile).get(serverId);
      const tool = server?.tools.find(({ name }) => name === toolName);
      return server === undefined || tool === undefined ? [] : [{ server, tool }];
    });
}
