import { resolve } from "node:path";
import type { Connection, ConnectOptions } from "../connect-options.ts";
import { connectByCall, makeConnection } from "../connection.ts";
import { registerCaller } from "../registered-callers.ts";
import { toServers } from "./configuration.ts";
import { ServerSet } from "./server-set.ts";
import { assertSupportedNode } from "./supported-node.ts";

export { setCaller } from "../connect.ts";

assertSupportedNode();

/**
 * Says how bindings reach their servers. Servers are started or reached on their first call. Throws `CodemodeError` where the
 * configuration cannot be used.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  if ("call" in options) return connectByCall(options.call);
  const servers = new ServerSet(await loadConfiguration(options));
  const release = registerCaller({ serves: (serverId) => servers.has(serverId), caller: servers.call });
  return makeConnection(async () => {
    release();
    await servers.close();
  });
}

async function loadConfiguration(options: Exclude<ConnectOptions, { call: unknown }>) {
  if ("servers" in options) {
    return { servers: toServers(options.servers, process.cwd()), drift: options.drift ?? "warn" };
  }
  const { readConfiguration } = await import("./read-configuration.ts");
  const configuration = await readConfiguration(resolve(options.config));
  return options.drift === undefined ? configuration : { ...configuration, drift: options.drift };
}
