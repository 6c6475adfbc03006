import { nearestName } from "@codemode/runtime/nearest-name";
import type { Config } from "../schemas/config/config.ts";
import { lockfileMissing, serverUnknown, toolUnknown } from "../schemas/errors.ts";
import type { LockedServer, LockedTool, Lockfile } from "../schemas/lock/lockfile.ts";
import { lockfilePath, readLockfile } from "./project/lockfile-file.ts";

/** A locked server, and those of its tools that were asked for. */
export interface Selection {
  server: LockedServer;
  tools: readonly LockedTool[];
}

/** The locked tools that a word of the command line means. */
export async function selectTools(config: Config, target: string | undefined): Promise<Selection[]> {
  const lockfile = await readLockfile(config);
  if (lockfile === undefined) throw lockfileMissing(lockfilePath(config));
  return findSelection(lockfile, target);
}

/**
 * The tools of a lockfile that a word of the command line means: `SERVER`, `SERVER/TOOL`, or all without a word. Servers go by
 * id or configured name, tools by name or export name.
 */
export function findSelection(lockfile: Lockfile, target: string | undefined): Selection[] {
  const servers = [...lockfile.servers.values()];
  if (target === undefined) return servers.map((server) => ({ server, tools: server.tools }));
  const slash = target.indexOf("/");
  const findServer = (name: string): LockedServer | undefined =>
    servers.find(({ id }) => id === name) ?? servers.find((entry) => entry.name === name);
  // A configured name may hold a slash itself.
  const whole = findServer(target);
  if (whole !== undefined) return [{ server: whole, tools: whole.tools }];
  const server = slash === -1 ? undefined : findServer(target.slice(0, slash));
  if (server === undefined) {
    const ids = servers.map(({ id }) => id);
    throw serverUnknown(slash === -1 ? target : target.slice(0, slash), ids);
  }
  return [{ server, tools: [findTool(server, target.slice(slash + 1))] }];
}

function findTool({ id, tools }: LockedServer, name: string): LockedTool {
  const tool = tools.find((entry) => entry.name === name) ?? tools.find(({ exportName }) => exportName === name);
  if (tool !== undefined) return tool;
  const names = tools.map((entry) => entry.name);
  throw toolUnknown(id, name, nearestName(name, names));
}
