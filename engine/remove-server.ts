import type { Config } from "../schemas/config/config.ts";
import type { LockedServer, Lockfile } from "../schemas/lock/lockfile.ts";
import { assignServerIds } from "../schemas/lock/server-ids.ts";
import { findServer } from "./project/config/find-server.ts";
import { outputFolder } from "./project/project-places.ts";
import { generatePackages, isGenerated } from "./project/emit/generate-packages.ts";
import { loadConfig } from "./load-config.ts";
import { asOneStep } from "./project/as-one-step.ts";
import { lockfilePath, readLockfile, writeLockfile } from "./project/lockfile-file.ts";
import { isConfigured, removeServerFromConfig } from "./project/config/write-project-files.ts";

/** What removing a server has done. */
export interface RemovedServer {
  /** Its name in the configuration. */
  name: string;
  wasLocked: boolean;
  wasGenerated: boolean;
  /** Servers whose id was numbered because of the one that is gone. */
  renamed: readonly { from: string; to: string }[];
  /** The keys of the configuration that still name a tool of the server. */
  stillNamed: readonly string[];
}

/**
 * Takes a server out of the configuration, the lockfile and the generated package. No server is started.
 * @param word the server's id, or its name in the configuration; the name alone if it is disabled
 */
export async function removeServer(config: Config, word: string): Promise<RemovedServer> {
  const isDisabled = !isEnabled(config, word) && (await isConfigured(config, word));
  const { id, name } = isDisabled ? { id: assignServerIds([word])[0] as string, name: word } : findServer(config, word);
  // Before anything is written: a broken lockfile is refused.
  const accepted = await readLockfile(config);
  const wasGenerated = accepted !== undefined && (await isGenerated(outputFolder(config)));
  const { after, renamed, lockfile } = await asOneStep([config.file, lockfilePath(config)], config.folder, async () => {
    await removeServerFromConfig(config, name);
    const after = await loadConfig({ cwd: config.folder, configFile: config.file });
    const renamed = findRenamed(config, after);
    const lockfile = accepted === undefined ? undefined : withoutServer(accepted, name, renamed);
    if (lockfile !== undefined) await writeLockfile(after, lockfile);
    return { after, renamed, lockfile };
  });
  const wasLocked = accepted?.servers.get(id)?.name === name;
  // What is generated follows from the lockfile: the next `generate` does what fails here.
  if (lockfile !== undefined && wasGenerated) await generatePackages({ config: after, lockfile });
  return { name, wasLocked, wasGenerated, renamed, stillNamed: findMentions(after, id) };
}

function isEnabled({ servers }: Config, word: string): boolean {
  return servers.some(({ id, name }) => id === word || name === word);
}

function findRenamed(before: Config, after: Config): RemovedServer["renamed"] {
  const now = new Map(after.servers.map(({ id, name }) => [name, id]));
  return before.servers.flatMap(({ id: from, name }) => {
    const to = now.get(name) ?? from;
    return from === to ? [] : [{ from, to }];
  });
}

/** Entries move with their server's id; an integrity does not depend on it. */
function withoutServer(lockfile: Lockfile, removed: string, renamed: RemovedServer["renamed"]): Lockfile {
  const idOf = new Map(renamed.map(({ from, to }) => [from, to]));
  const entries = [...lockfile.servers.values()].filter(({ name }) => name !== removed);
  return {
    servers: new Map(
      entries.map((server): [string, LockedServer] => {
        const id = idOf.get(server.id) ?? server.id;
        return [id, { ...server, id }];
      }),
    ),
  };
}

function findMentions({ outputs, policy }: Config, serverId: string): string[] {
  const isOfServer = (pattern: string): boolean => pattern.startsWith(`${serverId}/`);
  return [
    ...([...outputs.keys()].some(isOfServer) ? ["outputs"] : []),
    ...(["allow", "ask", "askEach", "deny"] as const)
      .filter((key) => policy[key]?.some(isOfServer))
      .map((key) => `policy.${key}`),
  ];
}
