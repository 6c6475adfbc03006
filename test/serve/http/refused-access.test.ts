import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeRefusedAccess } from "../../../serve/http/refused-access.ts";
import { closeListener, listen, makeHttpServer } from "../../../serve/http/http-listener.ts";
import type { AccessRefusedFacts } from "../../../schemas/run/events.ts";
import { startHttp } from "./start-http.ts";

const asked = (remoteAddress: string, authorization?: string) =>
  ({ headers: { authorization }, socket: { remoteAddress } }) as unknown as IncomingMessage;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("each refused request is reported, and of many in a second the rest together", () => {
  const reports: AccessRefusedFacts[] = [];
  const refused = makeRefusedAccess((facts) => reports.push(facts));
  refused("mcp", asked("10.0.0.1"));
  refused("metrics", asked("10.0.0.2", "Bearer secret"));
  expect(reports).toEqual([
    { place: "mcp", token: "missing", from: "10.0.0.1", count: 1 },
    { place: "metrics", token: "unknown", from: "10.0.0.2", count: 1 },
  ]);
  for (let count = 0; count < 500; count += 1) refused("approvals", asked("10.0.0.3", `Bearer ${count}`));
  expect(reports).toHaveLength(20);
  vi.advanceTimersByTime(1000);
  expect(reports.slice(20)).toEqual([{ place: "approvals", token: "unknown", from: "10.0.0.3", count: 482 }]);
  expect(JSON.stringify(reports)).not.toMatch(/secret|Bearer/);
});

/** What a server says to these bytes, until it closes the connection. */
async function say(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  let said = "";
  for await (const chunk of socket) said += String(chunk);
  return said;
}

test("a request that names two hosts is refused", async () => {
  vi.useRealTimers();
  const { origin } = await startHttp();
  const { host } = new URL(origin);
  for (const hosts of [`Host: ${host}\r\nHost: evil.example`, `Host: evil.example\r\nhost: ${host}`])
    for (const path of ["/mcp", "/health"])
      expect(await say(origin, `GET ${path} HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 400 /,
      );
});

test("a client that goes away in the middle of its request is no failure of the server", async () => {
  vi.useRealTimers();
  const { origin, notes } = await startHttp();
  const { host, hostname, port } = new URL(origin);
  const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a`;
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  await expect.poll(async () => (await fetch(new URL("/health", origin))).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(notes.filter((note) => !note.startsWith("codemode serves"))).toEqual([]);
});

test("a connection that says nothing is closed", async () => {
  vi.useRealTimers();
  const server = makeHttpServer((_, outgoing) => outgoing.end("answer"), 50);
  const origin = await listen(server, { host: "127.0.0.1", port: 0 });
  const { hostname, port } = new URL(origin);
  const silent = connect(Number(port), hostname);
  await new Promise<void>((resolve) => silent.once("close", () => resolve()));
  expect(await (await fetch(origin)).text()).toBe("answer");
  await closeListener(server);
});
