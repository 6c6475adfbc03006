import { Agent, request } from "node:http";
import { expect, test } from "vitest";
import { INITIALIZE, postMessage, sendRaw } from "./send-raw.ts";
import { startHttp } from "./start-http.ts";

test("a request is answered only to hosts of this machine and configured ones", async () => {
  const { origin, diary } = await startHttp({ allowedHosts: ["agents.example.com", "exact.example.com:8443"] });
  const statusFor = async (host: string) => (await postMessage(origin, INITIALIZE, { host })).status;
  for (const host of ["localhost", "127.0.0.1:8080", "[::1]:9", "Agents.Example.com:99", "exact.example.com:8443"]) {
    expect([host, await statusFor(host)]).toEqual([host, 200]);
  }
  const made = diary.made;
  const refused = [
    "evil.example",
    "localhost.evil.example",
    "exact.example.com",
    "127.0.0.1.evil",
    "a@localhost",
    "localhost#.evil",
    "localhost?.evil",
    "0.0.0.0",
    " ",
  ];
  for (const host of refused) expect([host, await statusFor(host)]).toEqual([host, 403]);
  expect(diary.made).toBe(made);
});

test("a page is answered only where its origin is of this machine or configured", async () => {
  const { origin } = await startHttp({ allowedOrigins: ["https://agents.example.com"] });
  const statusFor = async (from: string) => (await postMessage(origin, INITIALIZE, { origin: from })).status;
  for (const from of ["http://localhost:3000", "http://127.0.0.1", "https://agents.example.com"]) {
    expect([from, await statusFor(from)]).toEqual([from, 200]);
  }
  const refused = [
    "null",
    "ftp://localhost",
    "chrome-extension://localhost",
    "https://evil.example",
    "http://agents.example.com",
    "https://agents.example.com:444",
    "file://",
    "",
  ];
  for (const from of refused) expect([from, await statusFor(from)]).toEqual([from, 403]);
});

test("of the origins that have no name of their own in Node, none stands for another", async () => {
  const { origin } = await startHttp({ allowedOrigins: ["chrome-extension://a", "null"] });
  for (const from of ["chrome-extension://b", "file:///b", "null"]) {
    const refused = await postMessage(origin, INITIALIZE, { origin: from });
    expect([from, refused.status]).toEqual([from, 403]);
    expect(refused.headers["access-control-allow-origin"]).toBeUndefined();
  }
});

test("a preflight that asks for headers with odd characters gets none", async () => {
  const { origin } = await startHttp({ allowedOrigins: ["https://agents.example.com"] });
  const allowedFor = async (asked: string) => {
    const headers = { origin: "https://agents.example.com", "access-control-request-headers": asked };
    return (await sendRaw(origin, { method: "OPTIONS", headers })).headers["access-control-allow-headers"];
  };
  expect(await allowedFor("content-type, mcp-method")).toBe("content-type, mcp-method");
  for (const asked of ["*", "x-a; x-b", "x-a: 1", '"x"', "<x>", "x\u00e9"]) expect(await allowedFor(asked)).toBe("");
});

test("only a page of a configured origin may read answers", async () => {
  const { origin } = await startHttp({ allowedOrigins: ["https://agents.example.com"], token: "secret" });
  const preflight = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization, mcp-method",
  };
  const asked = await sendRaw(origin, {
    method: "OPTIONS",
    headers: { origin: "https://agents.example.com", ...preflight },
  });
  expect(asked).toMatchObject({
    status: 204,
    headers: {
      "access-control-allow-origin": "https://agents.example.com",
      "access-control-allow-headers": "authorization, mcp-method",
    },
  });
  const listed = await postMessage(origin, INITIALIZE, {
    origin: "https://agents.example.com",
    authorization: "Bearer secret",
  });
  expect(listed.headers["access-control-expose-headers"]).toContain("Mcp-Session-Id");
  const local = await sendRaw(origin, {
    method: "OPTIONS",
    headers: { origin: "http://localhost:3000", ...preflight },
  });
  expect(local.headers["access-control-allow-origin"]).toBeUndefined();
});

test("paths and methods that are not served are said", async () => {
  const { origin } = await startHttp();
  expect(await sendRaw(origin, { path: "/" })).toMatchObject({ status: 404 });
  expect(await sendRaw(origin, { path: "//evil.example/mcp" })).toMatchObject({ status: 404 });
  for (const method of ["PUT", "PATCH", "HEAD", "OPTIONS"]) {
    expect(await sendRaw(origin, { method })).toMatchObject({ status: 405, headers: { allow: "GET, POST, DELETE" } });
  }
  expect(await sendRaw(origin, { method: "POST", path: "/health" })).toMatchObject({ status: 405 });
});

test.each([
  ["nothing", ""],
  ["no JSON", "{"],
  ["no UTF-8", Buffer.from([0x22, 0xff, 0x22])],
  ["no UTF-8 within a message", Buffer.from(JSON.stringify(INITIALIZE).replace('"raw"', '"r\u00e4w"'), "latin1")],
  ["JSON that is no message", '{"__proto__": {"method": "initialize"}, "constructor": 1}'],
  ["JSON that is nested a million times", "[".repeat(1e6) + "]".repeat(1e6)],
])("a body with %s is refused, and the next request is answered", async (_, body) => {
  const { origin } = await startHttp();
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const refused = await sendRaw(origin, { method: "POST", headers, body });
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.text)).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) }, id: null });
  expect((await postMessage(origin, INITIALIZE)).status).toBe(200);
});

test("a body that is too large is refused, whether its length is said before or not", async () => {
  const { origin } = await startHttp();
  const body = JSON.stringify({ ...INITIALIZE, padding: "x".repeat(4 * 1024 * 1024) });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  for (const extra of [{}, { "transfer-encoding": "chunked" }] as Record<string, string>[]) {
    const refused = await sendRaw(origin, { method: "POST", headers: { ...headers, ...extra }, body });
    expect(refused).toMatchObject({ status: 413, headers: { connection: "close" } });
  }
});

test("a body whose length says that it is too large is refused before it is sent", async () => {
  const { origin } = await startHttp();
  for (const [length, connection] of [
    [4 * 1024 * 1024 + 1, "keep-alive"],
    [64 * 1024 * 1024, "close"],
  ] as const) {
    const refused = await new Promise<{ status: number; connection: string | undefined }>((settle, fail) => {
      const headers = { "content-type": "application/json", "content-length": length, connection: "keep-alive" };
      const outgoing = request(`${origin}/mcp`, { method: "POST", headers, agent: false });
      outgoing.once("response", ({ statusCode = 0, headers: { connection: how } }) => {
        settle({ status: statusCode, connection: how });
        outgoing.destroy();
      });
      outgoing.once("error", fail).flushHeaders();
    });
    expect(refused).toEqual({ status: 413, connection });
  }
});

test("a refused body is dropped, and the connection serves the next request", async () => {
  const { origin } = await startHttp();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (body: string) =>
    new Promise<[status: number | undefined, port: number | undefined]>((settle, fail) => {
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const outgoing = request(`${origin}/mcp`, { method: "POST", headers, agent }, (incoming) => {
        const { localPort } = incoming.socket;
        incoming.resume().once("end", () => settle([incoming.statusCode, localPort]));
      });
      outgoing.once("error", fail).end(body);
    });
  const [refused, port] = await post(JSON.stringify({ padding: "x".repeat(8 * 1024 * 1024) }));
  expect(refused).toBe(413);
  expect(await post(JSON.stringify(INITIALIZE))).toEqual([200, port]);
  agent.destroy();
});

test("only JSON is taken, and only by clients that take both forms of answers", async () => {
  const { origin } = await startHttp();
  expect(await postMessage(origin, INITIALIZE, { "content-type": "text/plain" })).toMatchObject({ status: 415 });
  expect(await postMessage(origin, INITIALIZE, { accept: "text/html" })).toMatchObject({ status: 406 });
});

test.each(["/health", "/ready"])("the probe %s needs nothing and tells nothing", async (path) => {
  const { origin } = await startHttp({ token: "secret" });
  const { status, text } = await sendRaw(origin, { path, headers: { host: "10.1.2.3" } });
  expect([status, JSON.parse(text)]).toEqual([200, { status: "ok", version: expect.any(String) }]);
  expect(await sendRaw(origin, { method: "HEAD", path })).toMatchObject({ status: 200, text: "" });
});
