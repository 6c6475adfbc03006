import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocket } from "node:net";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { startSdkHttpServer } from "../servers/sdk-http-server.mjs";
import { shareInFile, whenDone } from "../e2e/share-in-file.ts";
import { generatedProject, runForJson } from "./plain-node.ts";

const HELLO = `
  import { hello } from "@codemode/servers/remote";
  console.log(JSON.stringify(await hello().catch(({ name, message, hint }) => ({ name, message, hint }))));`;

async function startSdkServer(): Promise<string> {
  const server = await startSdkHttpServer();
  whenDone(() => server.close());
  return server.url;
}

/** A project with the server that says hello. */
const greeted = shareInFile(async () => generatedProject({ remote: { url: await startSdkServer() } }));

/** Serves until the test ends; gives the URL. */
async function listen(serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<string> {
  const server = createServer((request, response) => void serve(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** The reference server over one of its HTTP transports. */
async function startEverything(mode: "sse" | "streamableHttp"): Promise<number> {
  const socket = createSocket().listen(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address() as AddressInfo;
  socket.close();
  const program = resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [program, mode], { stdio: "ignore", env });
  whenDone(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  await vi.waitFor(() => fetch(`http://localhost:${port}/`).then((response) => response.body?.cancel()), {
    timeout: 20_000,
    interval: 50,
  });
  return port;
}

/** Projects with the reference server, one for each of its transports. */
const REFERENCE = {
  streamableHttp: shareInFile(() => startReference("streamableHttp", { type: "http", path: "mcp" })),
  sse: shareInFile(() => startReference("sse", { type: "sse", path: "sse" })),
};

async function startReference(mode: "sse" | "streamableHttp", { type, path }: { type: string; path: string }) {
  const url = `http://localhost:${await startEverything(mode)}/${path}`;
  return { url, cwd: await generatedProject({ remote: { type, url } }) };
}

test("a binding calls a server of the modern era over HTTP, and the process ends by itself", async () => {
  expect(await runForJson(greeted(), HELLO)).toBe("hello");
});

test.each(["streamableHttp", "sse"] as const)(
  "the reference server answers over %s, and its open stream keeps no process alive",
  async (mode) => {
    const { cwd } = REFERENCE[mode]();
    const program = `
    import { get_sum } from "@codemode/servers/remote";
    import { setTimeout as delay } from "node:timers/promises";
    const sums = await Promise.all([get_sum({ a: 1, b: 1 }), get_sum({ a: 2, b: 2 })]);
    await delay(400); // long enough for an idle stream to be closed
    console.log(JSON.stringify([...sums, await get_sum({ a: 3, b: 3 })]));`;
    expect(await runForJson(cwd, program)).toEqual([1, 2, 3].map((n) => `The sum of ${n} and ${n} is ${n + n}.`));
  },
);

test("a server that has forgotten its sessions is asked again", async () => {
  const { url: address, cwd } = REFERENCE.streamableHttp();
  // Between the server and the program stands one that turns every session into an unknown one, once.
  let forgotten = 0;
  const url = await listen(async (request, response) => {
    const body = await text(request);
    if (body.includes('"tools/call"') && forgotten === 0) {
      forgotten += 1;
      response.writeHead(404).end("no such session");
      return;
    }
    const headers = Object.entries(request.headers).filter(([name]) => /^(content-type|accept|mcp-.*)$/.test(name));
    const answer = await fetch(address, {
      method: request.method ?? "GET",
      headers: headers as [string, string][],
      ...(body === "" ? {} : { body }),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  const program = `
    import { connect } from "@codemode/runtime/connect";
    import { get_sum } from "@codemode/servers/remote";
    await connect({ servers: { remote: { url: "${url}" } } });
    console.log(JSON.stringify(await get_sum({ a: 1, b: 1 })));`;
  expect(await runForJson(cwd, program)).toBe("The sum of 1 and 1 is 2.");
  expect(forgotten).toBe(1);
});

test("a tool that the server does not have any more is named, and the nearest that it has", async () => {
  const before = await startSdkHttpServer();
  onTestFinished(() => before.close());
  before.addTool("helloo");
  const cwd = await generatedProject({ remote: { url: before.url } });
  const program = `
    import { connect } from "@codemode/runtime/connect";
    import { helloo } from "@codemode/servers/remote";
    await connect({ servers: { remote: { url: "${await startSdkServer()}" } }, drift: "ignore" });
    console.log(JSON.stringify(await helloo().catch(({ name, message, hint }) => ({ name, message, hint }))));`;
  expect(await runForJson(cwd, program)).toEqual({
    name: "ToolNotFoundError",
    message: 'The server "remote" has no tool "helloo".',
    hint: 'Did you mean "hello"?',
  });
});
