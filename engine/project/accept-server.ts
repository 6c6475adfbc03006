import type { Config } from "../../schemas/config/config.ts";
import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import { keepObserved } from "../../schemas/observed/keep-observed.ts";
import type { emitChanged } from "./emit/emit-changed.ts";
import { generatePackages } from "./emit/generate-packages.ts";
import { readLockfile, writeLockfile } from "./lockfile-file.ts";

/**
 * Writes one server's new entry into the lockfile and emits its package again. It reads the file first, because another process may have
 * locked other servers in the meantime. `emit` as for `generatePackages`.
 */
export async function acceptServer(config: Config, server: LockedServer, emit?: typeof emitChanged): Promise<Lockfile> {
  const onDisk = await readLockfile(config);
  const renewed = keepObserved(onDisk?.servers.get(server.id), server);
  const lockfile: Lockfile = { servers: new Map([...(onDisk?.servers ?? []), [server.id, renewed]]) };
  await writeLockfile(config, lockfile);
  await generatePackages({ config, lockfile, names: [server.id], ...(emit === undefined ? {} : { emit }) });
  return lockfile;
}
