import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { makeConnectionFailures } from "@codemode/runtime/connections/connection-failures";
import { describeCallFailure } from "@codemode/runtime/call-failure";
import type { ConnectionError } from "@codemode/runtime/connections/connection-error";
import type { JsonObject } from "../../../schemas/json/json.ts";
import { connectHttp, httpTarget } from "./http-servers.ts";
import { failureOf } from "./misbehaving.ts";

type Answer = (message: JsonObject, response: ServerResponse, request: IncomingMessage) => void;

/** A server with sessions, whose calls a test answers. */
async function startServer(answer: Answer) {
  let sessions = 0;
  const calls: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += String(chunk)));
    request.on("end", () => {
      if (request.method !== "POST") return void response.writeHead(405).end();
      const message = JSON.parse(body) as JsonObject & { id: number };
      const json = (result: object, headers = {}): void =>
        void response
          .writeHead(200, { "content-type": "application/json", ...headers })
          .end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
      if (message["method"] === "initialize") {
        sessions += 1;
        const info = {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "x", version: "1" },
        };
        return json(info, { "mcp-session-id": `session-${sessions}` });
      }
      if (message.id === undefined) return void response.writeHead(202).end();
      if (message["method"] !== "tools/call") return json({ tools: [] });
      calls.push(String(request.headers["mcp-session-id"]));
      answer(message, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const connection = await connectHttp(httpTarget({ url } as Parameters<typeof httpTarget>[0]));
  return { connection, calls };
}

const error = (code: number, message: string, rest: object = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", error: { code, message, ...rest }, id: null });
const JSON_TYPE = { "content-type": "application/json" };
const words = (failure: ConnectionError) => describeCallFailure(failure, { serverId: "s", toolName: "t" });

test.each<[status: number, headers: Record<string, string>, body: string, want: object, said: object]>([
  [
    400,
    JSON_TYPE,
    error(-32602, "Invalid arguments: s too short", { data: { at: "/s" } }),
    { kind: "rpc-error", code: -32602, status: 400 },
    {
      message: expect.stringContaining("Invalid arguments: s too short"),
      hint: "Check the name and the input of what was asked.",
      details: { status: 400, data: { at: "/s" } },
    },
  ],
  [
    429,
    { ...JSON_TYPE, "retry-after": "3" },
    error(-32000, "slow down"),
    { kind: "rpc-error", status: 429, retryAfterMs: 3_000 },
    { hint: "Try again after 3 s.", details: { status: 429, retryAfterMs: 3_000 } },
  ],
  [
    429,
    { "retry-after": "1" },
    "too many",
    { kind: "http-error", status: 429 },
    { message: 'The server "s" answered the call of "t" with HTTP 429: too many', hint: "Try again after 1 s." },
  ],
  [
    500,
    { "content-type": "text/html" },
    "<html>oh</html>",
    { kind: "http-error", status: 500 },
    { message: 'The server "s" answered the call of "t" with HTTP 500', hint: "Try again." },
  ],
  [
    422,
    {},
    "no such field",
    { kind: "http-error", status: 422 },
    {
      message: expect.stringContaining("HTTP 422: no such field"),
      hint: "Change the input: the server refuses this call as it is.",
    },
  ],
  [
    200,
    JSON_TYPE,
    error(-32001, "not here"),
    { kind: "rpc-error", code: -32001 },
    { message: expect.stringContaining("not here") },
  ],
  [
    200,
    { "content-type": "text/html" },
    "<html>",
    { kind: "protocol" },
    {
      message: expect.stringContaining("(protocol): its answer is neither JSON nor a stream of events but text/html"),
      hint: expect.not.stringContaining("Try again"),
    },
  ],
])("what a server says with HTTP %i reaches the script", async (status, headers, body, want, said) => {
  const { connection } = await startServer((_, response) => response.writeHead(status, headers).end(body));
  const failure = (await failureOf(connection.callTool("t", {}))) as ConnectionError;
  expect(failure).toMatchObject(want);
  expect(words(failure)).toMatchObject(said);
});

test("a request that is accepted without an answer fails at once", async () => {
  const { connection } = await startServer((_, response) => response.writeHead(202).end());
  expect(await failureOf(connection.callTool("t", {}))).toMatchObject({ kind: "protocol" });
});

test("a redirect says where it leads", async () => {
  const server = createServer((_, response) => response.writeHead(301, { location: "/mcp/" }).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const failure = await failureOf(connectHttp(httpTarget({ url })));
  expect(failure).toMatchObject({ status: 301, message: expect.stringContaining("HTTP 301 to /mcp/") });
  expect(failure.hint).toContain("/mcp/");
});

test("a resource of another slash says which address to write", () => {
  const { loginFailed } = makeConnectionFailures(httpTarget({ url: "https://a.example/mcp" }));
  const said = "Protected resource https://a.example/mcp/ does not match expected https://a.example/mcp (or origin)";
  expect(loginFailed(said).hint).toMatch(/Write "url" .* with the same slash at the end: https:\/\/a\.example\/mcp\/$/);
  expect(loginFailed(said.replace("mcp/", "other")).hint).toContain("how its clients are registered");
});

test.each<[sign: string, answer: Answer]>([
  [
    "an error of JSON-RPC",
    ({ id }, response) =>
      response
        .writeHead(200, JSON_TYPE)
        .end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32600, message: "Session not found" } })),
  ],
  [
    "a stream of something else",
    (_, response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).end('data: {"error":"Session not found"}\n\n'),
  ],
  ["a status of 500", (_, response) => response.writeHead(500).end("Session terminated")],
  ["a status of 401", (_, response) => response.writeHead(401).end()],
  ["a connection that breaks", (_, response) => void response.destroy()],
  [
    "an error without its request",
    (_, response) => response.writeHead(200, JSON_TYPE).end(error(-32001, "unknown session")),
  ],
])("a session that is lost is replaced at the next call, where the sign is %s", async (_, answer) => {
  const { connection, calls } = await startServer((message, response, request) => {
    if (request.headers["mcp-session-id"] === "session-1") return answer(message, response, request);
    return void response
      .writeHead(200, JSON_TYPE)
      .end(JSON.stringify({ jsonrpc: "2.0", id: message["id"], result: { content: [] } }));
  });
  // What failed may have been done: it is not repeated.
  await failureOf(connection.callTool("t", {}));
  expect(calls).toEqual(["session-1"]);
  expect(await connection.callTool("t", {})).toEqual({ content: [] });
  expect(calls).toEqual(["session-1", "session-2"]);
  expect(connection.renewals).toBe(1);
});

test("a tool that refuses its input keeps the session", async () => {
  const { connection, calls } = await startServer(({ id }, response) =>
    response
      .writeHead(200, JSON_TYPE)
      .end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32602, message: "browser session not found" } })),
  );
  for (let count = 0; count < 2; count += 1) await failureOf(connection.callTool("t", {}));
  expect(calls).toEqual(["session-1", "session-1"]);
});
