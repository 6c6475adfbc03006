import { ownAccess } from "../schemas/access/access.ts";
import type { Config } from "../schemas/config/config.ts";
import type { ServerChange } from "../schemas/diff/diff-lockfiles.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import { makeConnectionSet } from "../runtime/mcp/connection-set.ts";
import { makeLiveLock } from "../runtime/host/lock/live-lock.ts";
import { countOf } from "../schemas/text/count-of.ts";
import { acceptDefinitions, acceptServer } from "./project/accept-server.ts";
import { emitChanged } from "./project/emit/emit-changed.ts";
import { emitOffered } from "./project/emit/emit-offered.ts";
import { makeFairTurns } from "./process/fair-turns.ts";
import { lockServers } from "./project/lock-servers.ts";
import { whenAborted } from "./when-aborted.ts";

/** A storm of notifications is one change: they are waited out before the list is asked for. */
const SETTLE_MS = 200;

/** Stays connected to all servers and accepts and emits what they change, until the signal is aborted. */
export async function watchServers(
  config: Config,
  lockfile: Lockfile,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const connections = makeConnectionSet(config);
  const inTurn = makeFairTurns();
  const access = ownAccess(config.policy);
  const lock = makeLiveLock({
    config,
    lockfile,
    connections,
    drift: "refresh",
    accept: (server) => inTurn(() => acceptServer(config, server)),
    acceptDefinitions: (serverId, definitions) => inTurn(() => acceptDefinitions(config, serverId, definitions)),
    emitPackage: (server) => emitOffered(server, emitChanged),
  });
  const follow = async (serverId: string): Promise<void> => {
    for (const { severity, message, hint } of await lock.look([serverId], { kind: "none" }, access)) {
      note(severity === "info" ? message : `${message} ${hint}`);
    }
  };
  const timers = new Map<string, NodeJS.Timeout>();
  /** Says whether the server answers; one that does not is named, and the others are watched. */
  const watch = async (id: string): Promise<boolean> => {
    const connection = await connections.get(id).catch(() => undefined);
    connection?.onToolsChanged(() => {
      clearTimeout(timers.get(id));
      timers.set(
        id,
        setTimeout(() => void follow(id).catch((error: unknown) => note(String(error))), SETTLE_MS),
      );
    });
    await follow(id);
    return connection !== undefined;
  };
  try {
    const watched = await Promise.all(config.servers.map(({ id }) => watch(id)));
    note(`Watching ${countOf(watched.filter(Boolean).length, "server")}.`);
    note("Changes of servers are accepted as they come: review them in the lockfile.");
    await whenAborted(signal);
  } finally {
    for (const timer of timers.values()) clearTimeout(timer);
    await connections.close();
  }
}

/**
 * How a live server differs from what is accepted; undefined where it does not. It is started for that, and nothing is written.
 * @throws CodemodeError where the server does not answer
 */
export async function findDrift(
  config: Config,
  accepted: Lockfile,
  serverId: string,
): Promise<ServerChange | undefined> {
  const { changes, failures } = await lockServers(config, accepted, [serverId]);
  if (failures[0] !== undefined) throw failures[0].error;
  return changes.find((change) => change.serverId === serverId);
}
