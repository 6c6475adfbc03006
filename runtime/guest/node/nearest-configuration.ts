import { describeUnknownServer } from "../call-failure.ts";
import type { Caller } from "../registered-callers.ts";
import { findConfiguration, readConfiguration } from "./read-configuration.ts";
import { ServerSet } from "./server-set.ts";

/** By the folder from which it was searched: a program may change its folder, and its servers stay. */
const found = new Map<string, Promise<ServerSet>>();

/** Calls a tool of a server that the nearest configuration names, from the working folder upwards. */
export const callByNearestConfiguration: Caller = async (tool, inputJson) => {
  const folder = process.cwd();
  let searching = found.get(folder);
  if (searching === undefined) {
    searching = load(folder);
    found.set(folder, searching);
    // Whoever mends the configuration is not to start anew.
    searching.catch(() => found.delete(folder));
  }
  const servers = await searching;
  if (servers.has(tool.serverId)) return servers.call(tool, inputJson);
  const otherwise = 'Add it to codemode.config.json, or give it to connect() of "@codemode/runtime/connect".';
  return { ok: false, error: describeUnknownServer(tool.serverId, servers.ids(), otherwise) };
};

async function load(folder: string): Promise<ServerSet> {
  const file = await findConfiguration(folder);
  return new ServerSet(file === undefined ? { servers: new Map(), drift: "warn" } : await readConfiguration(file));
}
