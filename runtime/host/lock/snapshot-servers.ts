import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { resolve } from "node:path";
import type { Config, OwnServerConfig, ServerConfig } from "../../../schemas/config/config.ts";
import { serverUnavailable } from "../../../schemas/errors.ts";
import { lockServer } from "../../../schemas/lock/lock-server.ts";
import type { LockedServer, Lockfile } from "../../../schemas/lock/lockfile.ts";
import type { ToolListProblem } from "../../../schemas/lock/server-snapshot.ts";
import { mapOperations } from "../../../schemas/lock/operations.ts";
import { isToolIncluded } from "../../../schemas/access/policy.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import type { ConnectionSet } from "../../mcp/connection-set.ts";
import type { ServerConnection } from "@codemode/runtime/connections/connect-server";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import { digestText } from "../digest-text.ts";
import { findStartedPackage } from "../../files/find-package.ts";

/** The lock entry that a live server would get now, and what of its tool list could not be used. */
export interface TakenSnapshot {
  server: LockedServer;
  problems: readonly ToolListProblem[];
  /** The names of all that the server lists, also of what the filter of the configuration takes out. */
  listed: readonly string[];
}

/** A server that could not be locked, and why. */
export interface ServerFailure {
  serverId: string;
  error: CodemodeError;
  /** It is there, and answers only who has logged in. */
  wantsLogin?: true;
}

/** The servers that answered, and the servers that did not; each in the order that was asked for. */
export interface SnapshotOutcome {
  taken: TakenSnapshot[];
  failures: ServerFailure[];
}

/** What of a project decides what is locked. */
type Project = Pick<Config, "folder" | "outputs" | "types">;

/**
 * Takes and locks the snapshots of servers, all at once. A server that cannot be reached never stops the others.
 * @param onEnd called for each server when it is done, or has failed
 */
export async function snapshotServers(
  servers: readonly (ServerConfig | OwnServerConfig)[],
  connections: ConnectionSet,
  project: Project,
  accepted?: Lockfile,
  onEnd: (serverId: string) => void = () => undefined,
): Promise<SnapshotOutcome> {
  const outcomes = await Promise.allSettled(
    servers.map((server) =>
      connections
        .get(server.id)
        .then((connection) => snapshotServer(server, connection, project, accepted?.servers.get(server.id)))
        .finally(() => onEnd(server.id)),
    ),
  );
  const outcome: SnapshotOutcome = { taken: [], failures: [] };
  servers.forEach(({ id, name }, index) => {
    const settled = outcomes[index] as PromiseSettledResult<TakenSnapshot>;
    if (settled.status === "fulfilled") outcome.taken.push(settled.value);
    else {
      const reason: unknown = settled.reason;
      const wantsLogin = reason instanceof ConnectionError && reason.status === 401;
      outcome.failures.push({
        serverId: id,
        error: toUserError(name, reason),
        ...withoutUndefined({ wantsLogin: wantsLogin || undefined }),
      });
    }
  });
  return outcome;
}

/** Takes and locks the snapshot of one server of a project. Tools that were accepted before keep their export names. */
export async function snapshotServer(
  server: ServerConfig | OwnServerConfig,
  connection: ServerConnection,
  project: Project,
  former: LockedServer | undefined,
): Promise<TakenSnapshot> {
  const { source } = server;
  const { outputs, types } = project;
  const [snapshot, started] = await Promise.all([
    connection.snapshot(),
    source.transport === "stdio"
      ? findStartedPackage(source.command, source.args, resolve(project.folder, source.cwd ?? "."))
      : undefined,
  ]);
  const listed: string[] = [];
  const included = mapOperations(snapshot, (tools) => {
    listed.push(...tools.map((tool) => tool.name));
    return tools.filter((tool) => isToolIncluded(server.tools, tool.name));
  });
  return {
    server: lockServer(
      { ...server, package: started, outputs, openObjects: types.openObjects, former },
      included,
      digestText,
    ),
    problems: snapshot.problems ?? [],
    listed,
  };
}

/** For the operator's screen: the whole reason, which an agent never sees. */
function toUserError(serverName: string, error: unknown): CodemodeError {
  if (error instanceof CodemodeError) return error;
  if (error instanceof ConnectionError) return serverUnavailable(serverName, error.message, error.hint);
  throw error;
}
