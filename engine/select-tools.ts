import { nearestTool } from "@codemode/runtime/nearest-name";
import type { Config } from "../schemas/config/config.ts";
import { lockfileMissing, serverUnknown, toolUnknown } from "../schemas/errors.ts";
import type { LockedServer, LockedTool, Lockfile } from "../schemas/lock/lockfile.ts";
import { asWord } from "../schemas/text/same-names.ts";
import { findModule, modulesOf } from "../schemas/lock/operations.ts";
import { lockfilePath, readLockfile } from "./project/lockfile-file.ts";

/** A module of a locked server (`modulesOf`), and those of its tools that were asked for. */
export interface Selection {
  server: LockedServer;
  tools: readonly LockedTool[];
}

/** The locked tools that a word of the command line means. */
export async function selectTools(config: Config, target: string | undefined): Promise<Selection[]> {
  return findSelection(await readLocked(config), target);
}

/** The lockfile. Throws a `CodemodeError` where there is none. */
export async function readLocked(config: Config): Promise<Lockfile> {
  const lockfile = await readLockfile(config);
  if (lockfile === undefined) throw lockfileMissing(lockfilePath(config));
  return lockfile;
}

/**
 * The tools of a lockfile that a word of the command line means: `SERVER`, `SERVER/TOOL`, or all without a word. Servers go by
 * id or configured name, tools by name or export name; `SERVER/resources` and `SERVER/prompts` are modules of it.
 */
export function findSelection(lockfile: Lockfile, target: string | undefined): Selection[] {
  const servers = [...lockfile.servers.values()];
  const whole = (server: LockedServer): Selection[] =>
    modulesOf(server).map((module) => ({ server: module, tools: module.tools }));
  if (target === undefined) return servers.flatMap(whole);
  const slash = target.indexOf("/");
  const findServer = (name: string): LockedServer | undefined =>
    servers.find(({ id }) => id === name) ?? servers.find((entry) => asWord(entry.name) === asWord(name));
  // A configured name may hold a slash itself.
  const named = findServer(target);
  if (named !== undefined) return whole(named);
  const server = slash === -1 ? undefined : findServer(target.slice(0, slash));
  if (server === undefined) {
    const ids = servers.map(({ id }) => id);
    throw serverUnknown(slash === -1 ? target : target.slice(0, slash), ids);
  }
  const name = target.slice(slash + 1);
  const module = findModule({ servers: new Map([[server.id, server]]) }, `${server.id}/${name}`);
  if (module !== undefined && module.module.id !== server.id && module.rest === undefined) {
    return [{ server: module.module, tools: module.module.tools }];
  }
  return [findTool(server, name)];
}

/** By its name, by the name of its export, or as `MODULE/EXPORT`. */
function findTool(server: LockedServer, name: string): Selection {
  const modules = modulesOf(server);
  const isNamed = (module: LockedServer, { exportName }: LockedTool): boolean =>
    `${module.id}/${exportName}` === `${server.id}/${name}`;
  const isSame = (_: LockedServer, tool: LockedTool): boolean => tool.name === name;
  const looksSame = (_: LockedServer, tool: LockedTool): boolean => asWord(tool.name) === asWord(name);
  for (const isMeant of [isSame, looksSame, isNamed]) {
    for (const module of modules) {
      const tool = module.tools.find((entry) => isMeant(module, entry));
      if (tool !== undefined) return { server: module, tools: [tool] };
    }
  }
  const names = modules.flatMap(({ tools }) => tools.map((entry) => entry.name));
  throw toolUnknown(server.id, name, nearestTool(name, names));
}
