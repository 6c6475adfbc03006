import { connectServer, type ConnectOptions } from "./connect-server.ts";
import { ConnectionError } from "./connection-error.ts";
import type { ServerConnection } from "./server-connection.ts";
import type { ServerTarget } from "./server-target.ts";

export interface ConnectedServers {
  /** In the order of the targets. */
  connections: ServerConnection[];
  /** In the order of the targets. */
  failures: { target: ServerTarget; error: ConnectionError }[];
}

/** Connects to all of them in parallel; one that fails does not stop the others. */
export async function connectServers(
  targets: readonly ServerTarget[],
  options: ConnectOptions = {},
): Promise<ConnectedServers> {
  const outcomes = await Promise.allSettled(targets.map((target) => connectServer(target, options)));
  const connected: ConnectedServers = { connections: [], failures: [] };
  targets.forEach((target, index) => {
    const outcome = outcomes[index] as PromiseSettledResult<ServerConnection>;
    if (outcome.status === "fulfilled") connected.connections.push(outcome.value);
    else if (outcome.reason instanceof ConnectionError) connected.failures.push({ target, error: outcome.reason });
    else throw outcome.reason;
  });
  return connected;
}
