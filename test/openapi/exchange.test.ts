import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listenForCallback } from "../../openapi/oauth/callback-listener.ts";
import { ANY_ADDRESS } from "../../openapi/request/address-guard.ts";
import { exchange } from "../../openapi/request/exchange.ts";
import { createOpenApiServer } from "../../openapi/server.ts";

/** A server that does with each connection what a test says. */
async function startRaw(serve: (socket: Socket) => void): Promise<URL> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    socket.once("data", () => serve(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/doc.json`);
}

const UPGRADE = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n";
const LENGTH = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n";

const ENDS: readonly (readonly [string, (socket: Socket) => void, RegExp])[] = [
  ["changes the protocol", (socket) => socket.write(UPGRADE), /answered 101 and changes the protocol/],
  ["changes the protocol and goes", (socket) => socket.end(UPGRADE), /answered 101 and changes the protocol/],
  ["closes at once", (socket) => socket.end(), /cannot be reached: ECONNRESET|ended without an answer/],
  ["resets", (socket) => socket.resetAndDestroy(), /cannot be reached: ECONNRESET/],
  [
    "closes within the head",
    (socket) => socket.end("HTTP/1.1 200 OK\r\nCont"),
    /cannot be reached: (?:ECONNRESET|HPE)/,
  ],
  ["closes within the body", (socket) => socket.end(`${LENGTH}{`), /cannot be reached: /],
  ["is silent", () => undefined, /no answer after 300 ms/],
  ["is silent within the head", (socket) => socket.write("HTTP/1.1 200 OK\r\n"), /no answer after 300 ms/],
  ["is silent within the body", (socket) => socket.write(`${LENGTH}{`), /no answer after 300 ms/],
  [
    "says again and again that it goes on",
    (socket) => {
      const timer = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 20);
      socket.once("close", () => clearInterval(timer));
    },
    /no answer after 300 ms/,
  ],
];

test.each(ENDS)("an exchange ends where the server %s", async (_, serve, message) => {
  const url = await startRaw(serve);
  const sent = exchange({ method: "GET", url, headers: {} }, { timeoutMs: 300, maxBytes: 1_000 }, ANY_ADDRESS);
  await expect(sent).rejects.toThrow(message);
});

test.each(ENDS)("the reading of a document settles too where the server %s", async (_, serve) => {
  const url = await startRaw(serve);
  await expect(createOpenApiServer(url.href, { timeoutMs: 300 })).rejects.toMatchObject({ hint: expect.any(String) });
});

test("an exchange ends with its caller, also where the server goes on", async () => {
  for (const serve of [() => undefined, (socket: Socket) => void socket.write(LENGTH)]) {
    const url = await startRaw(serve);
    const abort = new AbortController();
    const limits = { timeoutMs: 60_000, maxBytes: 1_000, signal: abort.signal };
    const sent = exchange({ method: "GET", url, headers: {} }, limits, ANY_ADDRESS);
    setTimeout(() => abort.abort(new Error("no longer wanted")), 50);
    await expect(sent).rejects.toThrow("no longer wanted");
  }
});

test("the listener of a login takes its answer alone, and survives every other request", async () => {
  const listener = await listenForCallback();
  const { port } = new URL(listener.address);
  const answer = listener.wait("s");
  const ask = async (target: string): Promise<string> => {
    const socket = (await import("node:net")).connect(Number(port), "127.0.0.1");
    socket.end(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    await once(socket, "close");
    return String(Buffer.concat(chunks)).slice(9, 12);
  };
  for (const target of ["//", "///", "//callback?state=s", "http://", "/callback", "/callback?state=t", "/%zz", "*"])
    expect([target, await ask(target)]).toEqual([target, "404"]);
  expect(await ask("/callback?state=s&code=c")).toBe("200");
  expect((await answer).get("code")).toBe("c");
  listener.close();
});
