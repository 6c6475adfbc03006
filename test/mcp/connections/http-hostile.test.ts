import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { JsonObject } from "../../../schemas/json/json.ts";
import { connectHttp, httpTarget } from "./http-servers.ts";
import { contentOf, failureOf } from "./misbehaving.ts";

const SECRET = "hunter-2-of-the-header";
const MEBIBYTE = 1024 * 1024;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  message: JsonObject | undefined;
}

type Handler = (exchange: Exchange) => void;

/** Starts a server that does what it is given; it ends after the test. */
async function start(handler: Handler): Promise<{ url: string; received: IncomingMessage[]; origin: string }> {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    response.on("error", () => undefined);
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      handler({ request, response, message: body === "" ? undefined : (JSON.parse(body) as JsonObject) });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `${origin}/mcp`, origin, received };
}

const target = (url: string, fields = {}) =>
  httpTarget({ url }, { era: "legacy", headers: { "X-Token": SECRET }, ...fields });

/** Answers the handshake as an old server does, and gives the rest to the handler. */
function afterHandshake(handler: Handler): Handler {
  return (exchange) => {
    const { message, response, request } = exchange;
    if (message?.["method"] === "initialize") {
      const result = {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "h", version: "1" },
      };
      return void response
        .writeHead(200, { "content-type": "application/json", "mcp-session-id": "one" })
        .end(JSON.stringify({ jsonrpc: "2.0", id: message["id"], result }));
    }
    if (message?.["method"] === "notifications/initialized") return void response.writeHead(202).end();
    if (request.method === "DELETE") return void response.end();
    return handler(exchange);
  };
}

const withoutStream =
  (handler: Handler): Handler =>
  (exchange) =>
    exchange.request.method === "GET" ? void exchange.response.writeHead(405).end() : handler(exchange);

const result = (id: unknown, text: string) =>
  JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } });

/** Writes a part again and again, as fast as it is taken. */
function flood(response: ServerResponse, part: string): void {
  const chunk = part.repeat(Math.ceil(65_536 / part.length));
  const write = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once("drain", () => setImmediate(write));
  };
  write();
}

describe("a redirect", () => {
  it.each([307, 308])("within the origin is followed with method, body and headers (%i)", async (status) => {
    const { url, received } = await start(({ request, response, message }) => {
      if (request.url === "/mcp") return void response.writeHead(status, { location: "/moved/mcp" }).end();
      return afterHandshake(
        withoutStream(({ response: answer }) =>
          answer.writeHead(200, { "content-type": "application/json" }).end(result(message?.["id"], "moved")),
        ),
      )({ request, response, message });
    });
    const connection = await connectHttp(target(url));
    expect(contentOf(await connection.callTool("t", {}))).toBe("moved");
    const moved = received.filter((request) => request.url === "/moved/mcp");
    expect(moved.map(({ headers }) => headers["x-token"])).toEqual(moved.map(() => SECRET));
    expect(new Set(moved.map(({ method }) => method))).toEqual(new Set(["POST", "GET"]));
  });

  it.each([301, 302, 303])("that would make another method of it is an answer like any other (%i)", async (status) => {
    const { url, received } = await start(({ response }) => response.writeHead(status, { location: "/other" }).end());
    expect(await failureOf(connectHttp(target(url)))).toMatchObject({ status });
    expect(received.every((request) => request.url === "/mcp")).toBe(true);
  });

  it.each([
    ["another port", (other: string) => `${other}/mcp`],
    ["another host", (other: string) => `${other.replace("127.0.0.1", "localhost")}/mcp`],
    ["another place without a scheme", (other: string) => `${other.slice("http:".length)}/mcp`],
    ["a user of its own", (_: string, own: string) => `${own.replace("//", "//me:pw@")}/mcp`],
    ["no address", () => "http://[/"],
  ])("to %s is not followed", async (_, place) => {
    const other = await start(({ response }) => response.end());
    const server = await start(({ response }) =>
      response.writeHead(308, { location: place(other.origin, server.origin) }).end(),
    );
    expect(await failureOf(connectHttp(target(server.url)))).toMatchObject({ kind: "http-error", status: 308 });
    expect(other.received).toEqual([]);
    expect(server.received.every((request) => request.url === "/mcp")).toBe(true);
  });

  it("after another is followed five times", async () => {
    const { url, received } = await start(({ request, response }) =>
      response.writeHead(308, { location: `${request.url}x` }).end(),
    );
    expect(await failureOf(connectHttp(target(url)))).toMatchObject({ kind: "http-error", status: 308 });
    const lengths = received.map(({ url: path }) => path?.length ?? 0);
    expect(Math.max(...lengths)).toBe("/mcpxxxxx".length);
  });
});

describe("a stream without an end", () => {
  it.each([
    ["a line of data", 'data: {"jsonrpc":"2.0","id":2,"result":{"x":"', "x"],
    ["lines of data", 'data: {"jsonrpc":"2.0","id":2,"result":{"x":"\n', "data: x\n"],
    ["a comment", ": ", "x"],
    ["comments", "", ": x\n\n"],
    ["an id", "id: ", "1"],
    ["returns", "", "\r"],
    ["events", "", 'data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n'],
  ])("ends with the time of its call, and costs no memory (%s)", async (_, beginning, part) => {
    const { url } = await start(
      afterHandshake(
        withoutStream(({ response, message }) => {
          const { name } = (message?.["params"] ?? {}) as { name?: string };
          response.writeHead(200, { "content-type": "text/event-stream" });
          if (name === "fine") return void response.end(`data: ${result(message?.["id"], "fine")}\n\n`);
          response.write(beginning);
          return flood(response, part);
        }),
      ),
    );
    const connection = await connectHttp(target(url), { maxMessageBytes: MEBIBYTE });
    const before = process.memoryUsage.rss();
    expect((await failureOf(connection.callTool("endless", {}, { timeoutMs: 200 }))).kind).toBe("timeout");
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * MEBIBYTE);
    expect(contentOf(await connection.callTool("fine", {}))).toBe("fine");
  });

  it("of fields without a meaning is no stream of events", async () => {
    const { url } = await start(
      afterHandshake(
        withoutStream(({ response }) =>
          flood(response.writeHead(200, { "content-type": "text/event-stream" }), "x: y\n"),
        ),
      ),
    );
    const connection = await connectHttp(target(url));
    expect(await failureOf(connection.callTool("t", {}))).toMatchObject({
      kind: "protocol",
      message: expect.stringContaining("its stream is no stream of events"),
    });
  });

  it("is not kept open behind the answer", async () => {
    let isOpen = true;
    const { url } = await start(
      afterHandshake(
        withoutStream(({ response, message }) => {
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.on("close", () => (isOpen = false));
          response.write(`data: ${result(message?.["id"], "answer")}\n\n`);
        }),
      ),
    );
    const connection = await connectHttp(target(url));
    expect(contentOf(await connection.callTool("t", {}))).toBe("answer");
    await vi.waitFor(() => expect(isOpen).toBe(false), { timeout: 10_000 });
  });

  it("of an error's body is read no further than it is quoted", async () => {
    const { url } = await start(
      afterHandshake(withoutStream(({ response }) => flood(response.writeHead(500), `${SECRET} `))),
    );
    const connection = await connectHttp(target(url));
    const failure = await failureOf(connection.callTool("t", {}));
    expect(failure).toMatchObject({ kind: "http-error", status: 500 });
    expect(failure.message).not.toContain(SECRET);
  });
});

it("headers of more than 16 KiB are no answer", async () => {
  const { url } = await start(({ response }) => response.writeHead(200, { "x-long": "x".repeat(100_000) }).end());
  expect((await failureOf(connectHttp(target(url)))).kind).toMatch(/unreachable|interrupted/);
});

it("a server that wants its streams opened again at once is not followed in it", async () => {
  let opened = 0;
  const { url } = await start(
    afterHandshake(({ request, response }) => {
      if (request.method === "GET") opened += 1;
      response.writeHead(200, { "content-type": "text/event-stream" }).end("retry: 0\nid: 1\ndata: \n\n");
    }),
  );
  const connection = await connectHttp(target(url));
  expect((await failureOf(connection.callTool("t", {}, { timeoutMs: 1_000 }))).kind).toBe("timeout");
  expect(opened).toBeGreaterThan(2);
  expect(opened).toBeLessThan(20);
});

it("an error in a stream that names no request is of the call that the stream belongs to", async () => {
  const { url } = await start(
    afterHandshake(
      withoutStream(({ response }) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write('data: {"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}\n\n');
      }),
    ),
  );
  const connection = await connectHttp(target(url));
  expect(await failureOf(connection.callTool("t", {}))).toMatchObject({ kind: "rpc-error", code: -32000 });
});

describe("HTTP with SSE, the older transport", () => {
  it.each([
    ["another port", (other: string) => `${other}/messages`],
    ["another place without a scheme", (other: string) => `${other.slice("http:".length)}/messages`],
    ["another scheme", () => "https://127.0.0.1/messages"],
    ["a user of its own", (_: string, own: string) => `${own.replace("//", "//me:pw@")}/messages`],
    ["no address", () => "http://[/"],
  ])("sends nothing to an endpoint at %s", async (_, place) => {
    const other = await start(({ response }) => response.end());
    const server = await start(({ response }) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: endpoint\ndata: ${place(other.origin, server.origin)}\n\n`);
    });
    expect(await failureOf(connectHttp(target(server.url, { transport: "sse" })))).toMatchObject({
      kind: "protocol",
      message: expect.stringContaining("its endpoint is not at the origin of its URL"),
    });
    expect(other.received).toEqual([]);
    expect(server.received.map(({ method }) => method)).toEqual(["GET"]);
  });

  it.each([
    [
      "is no stream of events",
      (response: ServerResponse) => void response.setHeader("content-type", "text/html").end("hi"),
    ],
    [
      "never names an endpoint",
      (response: ServerResponse) => flood(response.setHeader("content-type", "text/event-stream"), ": x\n\n"),
    ],
    [
      "ends before its endpoint",
      (response: ServerResponse) => void response.setHeader("content-type", "text/event-stream").end(),
    ],
  ])("fails in time where what it opens %s", async (_, answer) => {
    const { url } = await start(({ response }) => answer(response));
    const failure = await failureOf(connectHttp(target(url, { transport: "sse", timeoutMs: 500 })));
    expect(["protocol", "timeout", "interrupted"]).toContain(failure.kind);
  });

  it("keeps to its first endpoint, and refuses one message that is too long alone", async () => {
    let stream: ServerResponse | undefined;
    const { url, received } = await start(({ request, response, message }) => {
      if (request.method === "GET") {
        stream = response.writeHead(200, { "content-type": "text/event-stream" });
        return void stream.write("event: endpoint\ndata: /first\n\nevent: endpoint\ndata: /second\n\n");
      }
      response.writeHead(202).end();
      const id = message?.["id"];
      if (message?.["method"] === "initialize") {
        const body = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } };
        return void stream?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result: body })}\n\n`);
      }
      const { name } = (message?.["params"] ?? {}) as { name?: string };
      const text = name === "long" ? "x".repeat(3 * MEBIBYTE) : "short";
      if (id !== undefined) stream?.write(`data: ${result(id, text)}\n\n`);
    });
    const connection = await connectHttp(target(url, { transport: "sse" }), { maxMessageBytes: MEBIBYTE });
    expect((await failureOf(connection.callTool("long", {}))).kind).toBe("too-large");
    expect(contentOf(await connection.callTool("short", {}))).toBe("short");
    expect(new Set(received.map((request) => request.url))).toEqual(new Set(["/mcp", "/first"]));
  });
});
