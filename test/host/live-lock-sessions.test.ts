import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { makeConnectionSet } from "../../runtime/mcp/connection-set.ts";
import { makeLiveLock } from "../../runtime/host/lock/live-lock.ts";
import { toConfig } from "../../schemas/config/to-config.ts";

const never = () => Promise.reject(new Error("nothing is accepted here"));
const noAcceptance = { accept: never, acceptDefinitions: never, emitPackage: never };

interface Message {
  id?: number;
  method: string;
}

/** A server that forgets the session at every other `tools/list`, and otherwise answers. */
async function startForgetfulServer(): Promise<{ url: string; lists(): number }> {
  let lists = 0;
  const listener = createServer(async (request: IncomingMessage, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = JSON.parse(await text(request)) as Message;
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "tools/list" && (lists += 1) % 2 === 1) return void response.writeHead(404).end();
    const protocol = { protocolVersion: "2025-06-18", serverInfo: { name: "forgetful", version: "1" } };
    const results: Record<string, object> = {
      initialize: { ...protocol, capabilities: { tools: {} } },
      "tools/list": { tools: [{ name: "work", inputSchema: { type: "object" } }] },
    };
    const result = results[method];
    const outcome = result === undefined ? { error: { code: -32601, message: "no such method" } } : { result };
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": randomUUID() });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
  });
  await new Promise<void>((settle) => listener.listen(0, "127.0.0.1", settle));
  onTestFinished(() => void listener.close());
  return { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`, lists: () => lists };
}

test("a server that forgets the session whenever it is listed is given up", async () => {
  const { url, lists } = await startForgetfulServer();
  const file = { mcpServers: { forgetful: { url } } };
  const config = { ...toConfig(file, "/x/codemode.config.json", "/x"), isTrusted: true };
  const connections = makeConnectionSet(config);
  onTestFinished(connections.close);
  const lockfile = { servers: new Map() };
  const lock = makeLiveLock({ config, lockfile, connections, drift: "refuse", ...noAcceptance });
  await expect(lock.connect("forgetful", {}, () => true)).rejects.toMatchObject({ kind: "session-lost" });
  expect(lists()).toBeLessThan(20);
});
