import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { lockServer } from "../dist/schemas/lock/lock-server.js";

/**
 * A lockfile of a folder that holds one JSON file per server with its `serverInfo` and `tools`.
 * @param copies how often each server is put in, under ids of its own
 */
export async function lockRecordings(folder, copies = 1) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const servers = new Map();
  for (const name of names) {
    const { serverInfo, tools } = JSON.parse(await readFile(join(folder, name), "utf8"));
    for (let copy = 1; copy <= copies; copy += 1) {
      const id = name.slice(0, -".json".length) + (copy === 1 ? "" : `--${copy}`);
      const source = { transport: "stdio", command: "server", args: [], env: new Map() };
      const snapshot = {
        serverInfo,
        tools,
        protocolVersion: "2025-11-25",
        era: "legacy",
        capabilities: {},
        clientCapabilities: {},
      };
      servers.set(id, lockServer({ id, name: id, source }, snapshot));
    }
  }
  return { servers };
}
