import { createServer } from "node:http";
import { homedir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { closeListener, listen } from "../../../serve/http/http-listener.ts";
import { valuesOf } from "../../../engine/variables.ts";
import { planHttp, resolveHttpClients, resolveToken, readBearer } from "../../../serve/http/http-plan.ts";
import { serveHttp } from "../../../serve/http/serve-http.ts";
import { toConfig } from "../../../schemas/config/to-config.ts";
import { postMessage, INITIALIZE, sendRaw } from "./send-raw.ts";
import { ask, connectLegacy, startHttp } from "./start-http.ts";

test.each<[string | undefined, string | undefined]>([
  ["Bearer a", "a"],
  ["bearer   a~!  ", "a~!"],
  ["Bearer", undefined],
  ["Bearer ", undefined],
  ["Bearera", undefined],
  ["Bearer a b", undefined],
  ["Bearer \u00e9", undefined],
  ["xBearer a", undefined],
  [undefined, undefined],
])("of the header %j the token is %j", (header, token) => {
  expect(readBearer(header)).toBe(token);
});

const PROJECT = toConfig({ mcpServers: {} }, "codemode.config.json", "/project");

test.each([
  ["${workspaceFolder}/a", "/project/a"],
  ["${userHome}/a", `${homedir()}/a`],
  ["${TOKEN}-a", "t-a"],
  ["!~", "!~"],
])("a token that is written as %s is %s", (text, token) => {
  expect(resolveToken(text, '"serve"', valuesOf(PROJECT, { TOKEN: "t" }))).toBe(token);
});

test.each(["a b", "\u00e9", "a\n", " a", "a\u007f"])("no header can carry the token %j", (text) => {
  expect(() => resolveToken(text, '"serve"', valuesOf(PROJECT, {}))).toThrow(
    'The token of "serve" has a character that no Authorization header can carry.',
  );
});

test("those who may send requests are the clients of the configuration, and the one with the token of all others", () => {
  const namesOf = (serve: object) =>
    resolveHttpClients(toConfig({ mcpServers: {}, serve }, "x", "/project"), {}).map(({ access, tokenDigest }) => [
      access.client,
      tokenDigest?.length,
    ]);
  expect(namesOf({})).toEqual([[undefined, undefined]]);
  expect(namesOf({ token: "a" })).toEqual([[undefined, 32]]);
  expect(namesOf({ clients: { ada: { token: "b" } } })).toEqual([["ada", 32]]);
  expect(namesOf({ token: "a", clients: { ada: { token: "b" } } })).toEqual([
    ["ada", 32],
    [undefined, 32],
  ]);
});

test("a listener learns its address, and ends once", async () => {
  const server = createServer((_, outgoing) => outgoing.end("here"));
  onTestFinished(() => closeListener(server));
  await closeListener(server);
  const origin = await listen(server, { host: "::1", port: 0 });
  expect(origin).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect(await (await fetch(origin)).text()).toBe("here");
  await closeListener(server);
  await closeListener(server);
  await expect(fetch(origin)).rejects.toThrow("fetch failed");
});

test("an address of another machine cannot be listened on, and the option is named", async () => {
  await expect(listen(createServer(), { host: "192.0.2.1", port: 80 }, "--metrics PORT")).rejects.toMatchObject({
    code: "LISTEN_FAILED",
    message: "Cannot listen on 192.0.2.1:80: EADDRNOTAVAIL",
    hint: expect.stringContaining("--metrics PORT"),
  });
});

test("a listener that is closed before its start listens, and ends", async () => {
  const notes: string[] = [];
  const plan = planHttp("0", toConfig({ mcpServers: {} }, "x", "/project"), {});
  const options = {
    makeServer: () => Promise.reject(new Error("never")),
    note: (text: string) => void notes.push(text),
    onFailure: (error: unknown) => void notes.push(String(error)),
  };
  await serveHttp(plan, options, AbortSignal.abort());
  expect(notes).toEqual([expect.stringMatching(/^codemode serves MCP at http:\/\/127\.0\.0\.1:\d+\/mcp$/)]);
});

test("runs are cancelled before their connections are cut", async () => {
  const order: unknown[] = [];
  const stopService = async (graceMs: number) => void order.push(graceMs);
  const { stop } = await startHttp({}, { stop: stopService, limits: { endMs: 0 } });
  await stop();
  expect(order).toEqual([3000]);
});

test("a path is what stands before the query, and a probe may be asked for its headers alone", async () => {
  const { origin } = await startHttp();
  expect((await sendRaw(origin, { path: "/health?a=/mcp" })).headers).toMatchObject({ "cache-control": "no-store" });
  expect(await sendRaw(origin, { method: "POST", path: "/ready" })).toMatchObject({
    status: 405,
    headers: { allow: "GET, HEAD" },
  });
  expect(await sendRaw(origin, { path: "/healthy" })).toMatchObject({ status: 404 });
  const asked = { headers: { "content-type": "application/json", accept: "application/json, text/event-stream" } };
  const body = JSON.stringify(INITIALIZE);
  expect(await sendRaw(origin, { method: "POST", path: "/mcp?a=1", ...asked, body })).toMatchObject({ status: 200 });
});

test("headers reach what handles a request, whichever there are", async () => {
  const { url, origin } = await startHttp();
  const client = await connectLegacy(url);
  expect(await ask(client, "headers")).toContain('["mcp-protocol-version",');
  const refused = await postMessage(origin, INITIALIZE, { "mcp-session-id": "none" });
  expect(refused.status).toBe(404);
});
