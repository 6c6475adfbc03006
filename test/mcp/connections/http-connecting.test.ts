import { describe, expect, it, vi } from "vitest";
import { connectHttp, httpTarget, serve } from "./http-servers.ts";
import { contentOf, failureOf } from "./misbehaving.ts";
import type { MisbehavingHttp } from "../../servers/misbehaving-http.mjs";

/** The methods that the server was asked for, in order. */
function methodsOf(server: MisbehavingHttp): unknown[] {
  return server.received.flatMap(({ message }) => (message?.["method"] === undefined ? [] : [message["method"]]));
}

describe("a server that cannot be used", () => {
  it("is unreachable where nothing listens", async () => {
    const server = await serve();
    await server.close();
    expect(await failureOf(connectHttp(httpTarget(server)))).toMatchObject({
      kind: "unreachable",
      message: `server "remote" cannot be reached: connection refused at 127.0.0.1:${server.port}`,
      hint: 'Check "url" of server "remote" and the network.',
    });
    expect((await failureOf(connectHttp(httpTarget(server, { transport: "sse" })))).kind).toBe("unreachable");
  });

  it("is unreachable at a port that the Fetch standard blocks", async () => {
    expect(await failureOf(connectHttp(httpTarget({ url: "http://127.0.0.1:9/mcp" })))).toMatchObject({
      kind: "unreachable",
      message: 'server "remote" cannot be reached: no HTTP client calls its port',
    });
  });

  it("is unreachable where there is no such host", async () => {
    const failure = await failureOf(connectHttp(httpTarget({ url: "http://no-such-host.invalid/mcp" })));
    expect(failure.kind).toBe("unreachable");
  });

  const said = (words: string) => `server "remote" ${words}`;
  const LOGIN = { message: said("wants a login (HTTP 401)"), hint: expect.stringContaining("`codemode login remote`") };
  const BOOM = "answered the handshake with HTTP 500: boom [redacted: X-Token]";
  it.each<[habit: string, transport: "http" | "sse", failure: object]>([
    ["need-login", "http", { kind: "unauthorized", status: 401, ...LOGIN }],
    ["need-login", "sse", { kind: "unauthorized", status: 401, ...LOGIN }],
    ["refuse-all", "http", { kind: "forbidden", status: 403 }],
    ["refuse-all", "sse", { kind: "forbidden", status: 403 }],
    ["slow-headers", "http", { kind: "timeout", message: said("was not ready within 0.2 s") }],
    ["slow-headers", "sse", { kind: "timeout", message: said("was not ready within 0.2 s") }],
    ["broken", "http", { kind: "http-error", status: 500, message: said(BOOM) }],
    ["not-mcp", "http", { kind: "protocol", message: expect.stringContaining("text/html") }],
  ])("says why: %s (%s)", async (habit, transport, failure) => {
    const timeoutMs = habit === "slow-headers" ? 200 : 10_000;
    const target = httpTarget(await serve(habit), { transport, timeoutMs, headers: { "X-Token": "hunter-2" } });
    expect(await failureOf(connectHttp(target))).toMatchObject(failure);
  });

  it.each(["http", "sse"] as const)("can be given up while it keeps silent (%s)", async (transport) => {
    const signal = AbortSignal.timeout(100);
    const connecting = connectHttp(httpTarget(await serve("slow-headers"), { transport }), { signal });
    expect((await failureOf(connecting)).kind).toBe("cancelled");
  });
});

describe("the era of a server", () => {
  it("is found out by asking: an old server refuses the question", async () => {
    const server = await serve();
    const connection = await connectHttp(httpTarget(server));
    expect(await connection.snapshot()).toMatchObject({ era: "legacy", protocolVersion: "2025-11-25" });
    expect(methodsOf(server)).toEqual(["server/discover", "initialize", "notifications/initialized", "tools/list"]);
  });

  it("is found out by asking: a modern server answers", async () => {
    const server = await serve("modern");
    const connection = await connectHttp(httpTarget(server));
    expect(await connection.snapshot()).toMatchObject({
      era: "modern",
      protocolVersion: "2026-07-28",
      capabilities: { vendor: { x: 1 } },
      serverInfo: { name: "misbehaving", vendor: "kept" },
    });
    expect(methodsOf(server)).toEqual(["server/discover", "tools/list"]);
  });

  it("is old where the server keeps silent about it", async () => {
    const connection = await connectHttp(httpTarget(await serve("silent-at-discover"), { timeoutMs: 1_000 }));
    expect((await connection.snapshot()).era).toBe("legacy");
  });

  it("is asked for again, with patience, where a slow server knows no other", async () => {
    const server = await serve("modern", "silent-at-first", "no-initialize");
    const connection = await connectHttp(httpTarget(server, { timeoutMs: 1_000 }));
    expect((await connection.snapshot()).era).toBe("modern");
    expect(methodsOf(server).slice(0, 3)).toEqual(["server/discover", "initialize", "server/discover"]);
  });

  it.each([
    ["not known", {}],
    ["known as modern", { era: "modern" }],
  ] as const)("comes from the first transport where a server that was %s keeps silent", async (_, known) => {
    const server = await serve("old-http", "silent-at-discover", "session-400");
    const connection = await connectHttp(httpTarget(server, { ...known, timeoutMs: 1_000 }));
    expect((await connection.snapshot()).era).toBe("legacy");
  });

  it("is not asked for where it is known", async () => {
    const old = await serve();
    await connectHttp(httpTarget(old, { era: "legacy" }));
    expect(methodsOf(old)).toEqual(["initialize", "notifications/initialized"]);
    const modern = await serve("modern");
    await connectHttp(httpTarget(modern, { era: "modern" }));
    expect(methodsOf(modern)).toEqual(["server/discover"]);
  });

  it.each([
    ["legacy", "modern-only", "modern"],
    ["modern", "json", "legacy"],
  ] as const)("may have changed since it was known (%s)", async (era, habit, found) => {
    const connection = await connectHttp(httpTarget(await serve(habit), { era }));
    expect((await connection.snapshot()).era).toBe(found);
    expect(contentOf(await connection.callTool("echo", { a: 1 }))).toEqual({ a: 1 });
  });
});

describe("what a server is sent", () => {
  it("are the configured headers with each request, and its version with each but the first", async () => {
    const server = await serve("stream");
    const connection = await connectHttp(httpTarget(server, { headers: { "X-Token": "hunter-2" }, era: "legacy" }));
    await connection.callTool("echo", {});
    await connection.close();
    expect(server.received.map(({ method }) => method)).toContain("DELETE");
    expect(server.received.map(({ headers }) => headers["x-token"])).toEqual(server.received.map(() => "hunter-2"));
    const versions = server.received.slice(1).map(({ headers }) => headers["mcp-protocol-version"]);
    expect(new Set(versions)).toEqual(new Set(["2025-11-25"]));
  });

  it("are the arguments that it wants to see in headers, in the modern era", async () => {
    const server = await serve("modern");
    const region = { type: "string", "x-mcp-header": "Region" };
    server.tools = [
      { name: "echo", inputSchema: { type: "object", properties: { region, text: { type: "string" } } } },
      { name: "dropped", inputSchema: { type: "object", properties: { region: { ...region, type: "object" } } } },
    ];
    const connection = await connectHttp(httpTarget(server));
    await connection.callTool("echo", { region: "north", text: "x" });
    const { headers } = server.received.at(-1) as MisbehavingHttp["received"][number];
    expect(headers).toMatchObject({ "mcp-param-region": "north", "mcp-method": "tools/call", "mcp-name": "echo" });
    const { tools, problems } = await connection.snapshot();
    expect(tools.map(({ name }) => name)).toEqual(["echo"]);
    expect(problems).toEqual([{ reason: "invalid-header", position: 1, name: "dropped" }]);
  });
});

it("the arguments that a server wants to see in headers may change while it runs", async () => {
  const server = await serve("modern");
  server.tools = [
    { name: "wants-header", inputSchema: { type: "object", properties: { region: { type: "string" } } } },
  ];
  const connection = await connectHttp(httpTarget(server));
  await connection.snapshot();
  const region = { type: "string", "x-mcp-header": "Region" };
  server.tools = [{ name: "wants-header", inputSchema: { type: "object", properties: { region } } }];
  expect(contentOf(await connection.callTool("wants-header", { region: "north" }))).toBe("seen");
});

describe("a session that the server has forgotten", () => {
  it.each([[[]], [["json"]], [["session-400"]]])("is restarted without effect on the caller (%s)", async (habits) => {
    const server = await serve(...habits);
    const connection = await connectHttp(httpTarget(server));
    server.forgetSessions();
    const calls = Array.from({ length: 10 }, (_, number) => connection.callTool("echo", { number }));
    expect((await Promise.all(calls)).map(contentOf)).toEqual(calls.map((_, number) => ({ number })));
    expect(methodsOf(server).filter((method) => method === "initialize")).toHaveLength(2);
  });

  it("is also restarted after a restart of the server; listeners learn of it", async () => {
    const server = await serve();
    const connection = await connectHttp(httpTarget(server));
    let changes = 0;
    connection.onToolsChanged(() => (changes += 1));
    await server.close();
    expect((await failureOf(connection.callTool("echo", {}))).kind).toMatch(/unreachable|interrupted/);
    server.forgetSessions();
    await server.listen(server.port);
    expect(contentOf(await connection.callTool("echo", { a: 1 }))).toEqual({ a: 1 });
    expect(changes).toBe(1);
  });

  it("does not keep a connection from being closed while the new one is waited for", async () => {
    const server = await serve();
    const connection = await connectHttp(httpTarget(server));
    server.forgetSessions();
    server.habits.add("hang-at-initialize");
    const call = failureOf(connection.callTool("echo", {}));
    await vi.waitFor(() => expect(methodsOf(server).filter((method) => method === "initialize")).toHaveLength(2));
    await connection.close();
    expect((await call).kind).toBe("cancelled");
  });

  it("is an error where the server forgets it again at once", async () => {
    const server = await serve();
    const connection = await connectHttp(httpTarget(server));
    server.sessions.add = () => server.sessions;
    server.forgetSessions();
    expect((await failureOf(connection.callTool("echo", {}))).kind).toBe("session-lost");
  });
});

describe("HTTP with SSE, the older transport", () => {
  it.each([
    ["configured", "sse"],
    ["found out", "http"],
  ] as const)("is spoken where it is %s", async (_, transport) => {
    const connection = await connectHttp(httpTarget(await serve("old-http"), { transport }));
    expect((await connection.snapshot()).era).toBe("legacy");
    expect(contentOf(await connection.callTool("echo", { a: 1 }))).toEqual({ a: 1 });
    const bytes = 20 * 1024 * 1024;
    expect((contentOf(await connection.callTool("big", { bytes })) as string).length).toBe(bytes);
  });

  it("ends with its stream, because the session is gone with it", async () => {
    const server = await serve("old-http");
    const connection = await connectHttp(httpTarget(server, { transport: "sse" }));
    expect(await failureOf(connection.callTool("reset", {}))).toMatchObject({ kind: "closed" });
    expect(connection.ending).toMatchObject({ kind: "closed", message: 'server "remote" closed its output' });
    expect((await failureOf(connection.callTool("echo", {}))).kind).toBe("closed");
  });
});
