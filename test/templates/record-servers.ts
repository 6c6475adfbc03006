import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import { lockedServer, type RawTool } from "./lockfile-of.ts";

/** The real servers that are dev dependencies, with their arguments. */
const SERVERS = { everything: ["stdio"], filesystem: [tmpdir()], memory: [] };

/** Locks the tools that they list now. */
export async function recordServers(): Promise<Lockfile> {
  const servers = Object.entries(SERVERS).map(async ([id, args]) => [id, await recordServer(id, args)] as const);
  return { servers: new Map(await Promise.all(servers)) };
}

async function recordServer(id: string, args: readonly string[]): Promise<LockedServer> {
  const program = resolve(`node_modules/@modelcontextprotocol/server-${id}/dist/index.js`);
  const env = { MEMORY_FILE_PATH: join(tmpdir(), "codemode-no-memory.jsonl") };
  const client = new Client({ name: "recorder", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, ...args], env, stderr: "ignore" }),
  );
  try {
    const { tools } = await client.listTools();
    return lockedServer(id, tools as RawTool[], client.getServerVersion() as unknown as JsonObject);
  } finally {
    await client.close();
  }
}
