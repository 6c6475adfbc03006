import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { ServerConnection } from "@codemode/runtime/connections/server-connection";
import { connectHttp, httpTarget, serve } from "./http-servers.ts";
import { connect, nodeServer, SERVERS_FOLDER } from "./misbehaving.ts";

function countChanges(connection: ServerConnection): { seen: number; stop: () => void } {
  const changes = { seen: 0, stop: () => undefined as void };
  changes.stop = connection.onToolsChanged(() => (changes.seen += 1));
  return changes;
}

describe.each([
  ["an old server over HTTP", ["stream"]],
  ["a modern server over HTTP", ["modern"]],
])("changes of the tool list of %s", (_, habits) => {
  it("are each reported until the listener leaves", async () => {
    const server = await serve(...habits);
    const connection = await connectHttp(httpTarget(server));
    const changes = countChanges(connection);
    await vi.waitFor(() => expect(server.streams.size).toBe(1));
    for (let count = 0; count < 10; count += 1) server.announce();
    await vi.waitFor(() => expect(changes.seen).toBe(10));
    changes.stop();
    server.announce();
    await connection.callTool("echo", {});
    expect(changes.seen).toBe(10);
  });

  it("are reported after the stream broke, together with a possible gap", async () => {
    const server = await serve(...habits);
    const connection = await connectHttp(httpTarget(server));
    const changes = countChanges(connection);
    await vi.waitFor(() => expect(server.streams.size).toBe(1));
    server.breakStreams();
    await vi.waitFor(() => expect(changes.seen).toBe(1), { timeout: 3_000 });
    server.announce();
    await vi.waitFor(() => expect(changes.seen).toBe(2));
  });
});

it("changes of the tool list are also reported over the older transport", async () => {
  const server = await serve("old-http");
  const connection = await connectHttp(httpTarget(server, { transport: "sse" }));
  const changes = countChanges(connection);
  server.announce();
  await vi.waitFor(() => expect(changes.seen).toBe(1));
});

it("a modern server is asked to announce changes only while there are listeners", async () => {
  const server = await serve("modern");
  const connection = await connectHttp(httpTarget(server));
  await connection.snapshot();
  expect(server.streams.size).toBe(0);
  const { stop } = countChanges(connection);
  await vi.waitFor(() => expect(server.streams.size).toBe(1));
  stop();
  await vi.waitFor(() => expect(server.streams.size).toBe(0));
});

it("changes of the tool list of a modern server over stdio are reported", async () => {
  const connection = await connect(nodeServer(join(SERVERS_FOLDER, "modern-server.mjs"), []));
  const changes = countChanges(connection);
  await vi.waitFor(async () => {
    await connection.callTool("grow", {});
    expect(changes.seen).toBeGreaterThan(0);
  });
  const { tools } = await connection.snapshot();
  expect(tools.map(({ name }) => name)).toContain("grown");
});
