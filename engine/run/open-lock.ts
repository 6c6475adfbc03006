import { type LiveLock, makeLiveLock } from "../../runtime/host/lock/live-lock.ts";
import type { ConnectionSet } from "../../runtime/mcp/connection-set.ts";
import type { InTurn } from "../process/fair-turns.ts";
import { acceptDefinitions, acceptServer } from "../project/accept-server.ts";
import { emitOffered } from "../project/emit/emit-offered.ts";
import { emitApart } from "../project/emit-process/emit-apart.ts";
import type { HostOptions } from "./host-options.ts";

/** The lock of a project, which writes what a person or the policy for drift accepts: lockfile and package, one change after the other. */
export function openLock(options: HostOptions, connections: ConnectionSet, inTurn: InTurn): LiveLock {
  const { config, lockfile, drift, audience = "person", onServerEvent: onEvent, readChanged, lockedFirst } = options;
  return makeLiveLock({
    config,
    lockfile,
    connections,
    drift,
    audience,
    onEvent,
    readChanged,
    lockedFirst,
    accept: (server) => inTurn(() => acceptServer(config, server, emitApart)),
    acceptDefinitions: (serverId, definitions) =>
      inTurn(() => acceptDefinitions(config, serverId, definitions, emitApart)),
    emitPackage: async (server) => (config.memory === undefined ? emitOffered(server, emitApart) : ""),
  });
}
