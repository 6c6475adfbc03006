import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import type { ServerConnection } from "@codemode/runtime/connections/server-connection";
import { startSdkHttpServer } from "../../servers/sdk-http-server.mjs";
import { connectHttp, httpTarget } from "./http-servers.ts";
import { contentOf, failureOf, NODE_MODULES } from "./misbehaving.ts";

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) await end(child);
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Starts the reference server in a process of its own and waits until it answers. */
async function startEverything(mode: "sse" | "streamableHttp", port: number): Promise<ChildProcess> {
  const program = join(NODE_MODULES, "@modelcontextprotocol/server-everything/dist/index.js");
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [program, mode], { stdio: "ignore", env });
  children.push(child);
  const answers = () => fetch(`http://localhost:${port}/`).then((response) => response.body?.cancel());
  await vi.waitFor(answers, { timeout: 20_000, interval: 50 });
  return child;
}

async function expectEverything(connection: ServerConnection): Promise<void> {
  const { tools, era } = await connection.snapshot();
  expect(era).toBe("legacy");
  expect(tools.map(({ name }) => name)).toContain("get-structured-content");
  expect(contentOf(await connection.callTool("get-sum", { a: 2, b: 40 }))).toContain("42");
  const reports: number[] = [];
  await connection.callTool(
    "trigger-long-running-operation",
    { duration: 0.2, steps: 4 },
    { onProgress: ({ progress }) => reports.push(progress) },
  );
  expect(reports).toEqual([1, 2, 3, 4]);
}

it("speaks to server-everything over streamable HTTP, also after that was killed and started again", async () => {
  const port = await findFreePort();
  const child = await startEverything("streamableHttp", port);
  const connection = await connectHttp(httpTarget({ url: `http://localhost:${port}/mcp` }, { timeoutMs: 20_000 }));
  await expectEverything(connection);
  const inFlight = failureOf(connection.callTool("trigger-long-running-operation", { duration: 60, steps: 1 }));
  await vi.waitFor(() => connection.callTool("get-sum", { a: 1, b: 1 }));
  await end(child);
  expect(["interrupted", "unreachable"]).toContain((await inFlight).kind);
  await startEverything("streamableHttp", port);
  expect(contentOf(await connection.callTool("get-sum", { a: 2, b: 40 }))).toContain("42");
});

it("speaks to server-everything over HTTP with SSE", async () => {
  const port = await findFreePort();
  await startEverything("sse", port);
  const target = httpTarget({ url: `http://localhost:${port}/sse` }, { transport: "sse" });
  const connection = await connectHttp(target);
  await expectEverything(connection);
  expect(connection.ending).toBeUndefined();
});

it.each([
  ["modern", undefined],
  ["legacy", "legacy"],
] as const)("speaks to a server of the SDK in its %s era", async (found, era) => {
  const server = await startSdkHttpServer();
  try {
    const connection = await connectHttp(httpTarget(server, era === undefined ? {} : { era }));
    expect(await connection.snapshot()).toMatchObject({ era: found, serverInfo: { name: "sdk" } });
    expect(contentOf(await connection.callTool("hello", {}))).toBe("hello");
    await connection.close();
  } finally {
    await server.close();
  }
});

it("learns of the changes that a server of the SDK announces", async () => {
  const server = await startSdkHttpServer();
  try {
    const connection = await connectHttp(httpTarget(server));
    const changed = vi.fn<() => void>();
    connection.onToolsChanged(changed);
    await vi.waitFor(() => {
      server.addTool(`tool-${changed.mock.calls.length}-${performance.now()}`);
      expect(changed).toHaveBeenCalled();
    });
    expect((await connection.snapshot()).tools.length).toBeGreaterThan(1);
    await connection.close();
  } finally {
    await server.close();
  }
});
