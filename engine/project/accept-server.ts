import { digestText } from "../../runtime/host/digest-text.ts";
import { serverUnknown } from "../../schemas/errors.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { withDefinitions, keepObserved } from "../../schemas/lock/lock-server.ts";
import type { emitChanged } from "./emit/emit-changed.ts";
import { generatePackages } from "./emit/generate-packages.ts";
import { readLockfile, writeLockfile } from "./lockfile-file.ts";

/** As for `generatePackages`. */
type Emit = typeof emitChanged | undefined;

/**
 * Writes one server's new entry into the lockfile and emits its package again. It reads the file first, because another process may have
 * locked other servers in the meantime.
 */
export async function acceptServer(config: Config, server: LockedServer, emit?: Emit): Promise<Lockfile> {
  const onDisk = await readLockfile(config);
  return writeEntry(config, onDisk, keepObserved(onDisk?.servers.get(server.id), server), emit);
}

/**
 * Puts definitions of a server that a person has accepted into its entry, and leaves all else of the entry as it is.
 * @throws CodemodeError `SERVER_UNKNOWN` where the lockfile on disk has no entry of it
 */
export async function acceptDefinitions(
  config: Config,
  serverId: string,
  definitions: readonly LockedTool[],
  emit?: Emit,
): Promise<Lockfile> {
  const onDisk = await readLockfile(config);
  const server = onDisk?.servers.get(serverId);
  if (server === undefined) throw serverUnknown(serverId, [...(onDisk?.servers.keys() ?? [])]);
  return writeEntry(config, onDisk, keepObserved(server, withDefinitions(server, definitions, digestText)), emit);
}

async function writeEntry(
  config: Config,
  onDisk: Lockfile | undefined,
  server: LockedServer,
  emit: Emit,
): Promise<Lockfile> {
  const lockfile: Lockfile = { servers: new Map([...(onDisk?.servers ?? []), [server.id, server]]) };
  await writeLockfile(config, lockfile);
  if (config.memory === undefined) await generatePackages({ config, lockfile, names: [server.id], emit });
  return lockfile;
}
