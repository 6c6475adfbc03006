import type { Config } from "../../schemas/config.ts";
import { diffLockfiles, type ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import type { LockedServer, Lockfile, ToolListProblem } from "../../schemas/lockfile.ts";
import { makeConnectionSet } from "../../runtime/host/connection-set.ts";
import { snapshotServers } from "../../runtime/host/snapshot-servers.ts";
import { assertKnownOutputs } from "./check-outputs.ts";
import { findServer } from "./find-server.ts";
import { countParts, type OnProgress } from "./progress.ts";

/** A lockfile that is not yet written, and what it changes. */
export interface LockOutcome {
  lockfile: Lockfile;
  changes: ServerChange[];
  /** Entries of tool lists that were left out, by server. */
  problems: ReadonlyMap<string, readonly ToolListProblem[]>;
}

/** Who looks on while servers are locked. */
export interface LockWatch {
  onProgress?: OnProgress;
  /** Ends the servers; those that were not done count as failed. */
  signal?: AbortSignal;
  /** Where the values of placeholders come from, in the place of this process's environment. */
  env?: NodeJS.ProcessEnv;
}

/**
 * Snapshots the named servers (all without names) and places them into the accepted lockfile.
 * Servers that were not asked for keep their entry; servers that are no longer configured lose it.
 */
export async function lockServers(
  config: Config,
  accepted: Lockfile | undefined,
  names: readonly string[] = [],
  { onProgress = () => undefined, signal, env }: LockWatch = {},
): Promise<LockOutcome> {
  const chosen = names.length === 0 ? config.servers : names.map((name) => findServer(config, name));
  const connections = makeConnectionSet(config, env === undefined ? {} : { env });
  const stop = (): void => void connections.close();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const finish = countParts(
      chosen.map(({ id }) => id),
      onProgress,
    );
    const taken = await snapshotServers(chosen, connections, config, finish);
    assertKnownOutputs(
      config,
      taken.map(({ server }) => server),
    );
    const fresh = new Map(taken.map(({ server }) => [server.id, server]));
    const before: Lockfile = accepted ?? { servers: new Map() };
    const entries = config.servers.flatMap(({ id }): [string, LockedServer][] => {
      const server = fresh.get(id) ?? before.servers.get(id);
      return server === undefined ? [] : [[id, server]];
    });
    const lockfile: Lockfile = { servers: new Map(entries) };
    const problems = new Map(taken.map(({ server, problems: found }) => [server.id, found]));
    return { lockfile, changes: diffLockfiles(before, lockfile), problems };
  } finally {
    signal?.removeEventListener("abort", stop);
    await connections.close();
  }
}
