import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { INHERITED } from "@codemode/runtime/server-environment";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeConnectionFailures } from "../../../runtime/mcp/client/connection-failures.ts";
import { StdioTransport } from "../../../runtime/mcp/client/stdio/stdio-transport.ts";
import { isAlive } from "../../bindings/is-alive.ts";
import { connect, contentOf, failureOf, misbehaving, nodeServer, SERVERS_FOLDER, startedPids } from "./misbehaving.ts";

describe("a server that cannot be started", () => {
  it("names the command that was not found", async () => {
    const failure = await failureOf(connect(misbehaving([], { command: "no-such-command-here" })));
    expect(failure).toMatchObject({
      kind: "command-not-found",
      message: 'server "test" cannot be started: no command "no-such-command-here" was found',
      hint: 'Install "no-such-command-here" or write its full path as "command".',
    });
  });

  it("tells a missing working folder from a missing command", async () => {
    const failure = await failureOf(connect(misbehaving([], { cwd: "/no/such/folder" })));
    expect(failure).toMatchObject({ kind: "start-failed", message: expect.stringContaining("working folder") });
  });

  it("tells a file that is not executable", async () => {
    const failure = await failureOf(connect(misbehaving([], { command: join(SERVERS_FOLDER, "modern-server.mjs") })));
    expect(failure).toMatchObject({ kind: "start-failed", message: expect.stringContaining("not executable") });
  });

  it("survives arguments that no system takes", async () => {
    const failure = await failureOf(connect(misbehaving(["a\0b"])));
    expect(failure).toMatchObject({ kind: "start-failed", message: expect.stringContaining("refused to run") });
  });
});

describe("a server that ends before it is ready", () => {
  it("tells its exit code and the last lines of its stderr, masked and without control characters", async () => {
    const failure = await failureOf(connect(misbehaving(["exit-at-start"], { env: { TOKEN: "hunter-2" } })));
    expect(failure).toMatchObject({
      kind: "start-failed",
      exitCode: 7,
      message:
        'server "test" exited with code 7 before it was ready: cannot start: token [redacted: TOKEN] is not valid',
      stderr: "first line\ncannot start: token [redacted: TOKEN] is not valid",
      hint: "Run its command by itself to see what it needs.",
    });
  });

  it("is no start that times out where it ended while the client was still loaded", async () => {
    const target = nodeServer("-e", ["process.exit(3)"]);
    const transport = new StdioTransport(target, makeConnectionFailures(target));
    onTestFinished(() => transport.close());
    const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
    // sleeps: as long as the process is not read, only time says that its pipe is closed
    await sleep(1000);
    await transport.start();
    await closed;
    expect(transport.endedByServer).toBe(true);
    expect(transport.explainFailedStart().message).toBe('server "test" exited with code 3 before it was ready');
  });
});

describe("what a server prints where messages are expected", () => {
  const start = async (code: string): Promise<string> => {
    const target = nodeServer("-e", [code], { timeoutMs: 2_000, env: { TOKEN: "hunter-2" } });
    return (await failureOf(connect(target))).message.replace('server "test" ', "");
  };

  it("is said where the start takes too long: the last three lines, masked and harmless for a terminal", async () => {
    const printed = [
      'console.log("Downloading a model of 4 GB");',
      'process.stdout.write("Enter your key: ");',
      "console.log(`one\\ntwo\\n\\u001b[31mthree\\u001b[0m ${process.env.TOKEN}\\n\\nfour ${'x'.repeat(999)}`);",
    ];
    expect(await Promise.all(printed.map((code) => start(`${code} setInterval(() => {}, 1e4);`)))).toEqual(
      [
        "Downloading a model of 4 GB",
        "Enter your key:",
        `two / three [redacted: TOKEN] / four ${"x".repeat(144)}…`,
      ].map((said) => `was not ready within 2 s; the server printed: ${said}`),
    );
  });

  it("is said where the server ends, behind its last words", async () => {
    const code = 'console.log("Usage: files FOLDER"); console.error("Error: no folder"); process.exitCode = 2;';
    expect(await start(code)).toBe(
      "exited with code 2 before it was ready: Error: no folder; the server printed: Usage: files FOLDER",
    );
  });
});

describe("npx that cannot fetch a server", () => {
  it("says what the registry answered, and not where npm keeps its log", async () => {
    const registry = createServer((_, response) => response.writeHead(404, "Not Found").end("{}"));
    await once(registry.listen(0, "127.0.0.1"), "listening");
    const cache = await mkdtemp(join(tmpdir(), "codemode-test-"));
    onTestFinished(async () => {
      registry.close();
      await rm(cache, { recursive: true });
    });
    const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    const args = ["-y", `--registry=${address}`, `--cache=${cache}`, "a-server-that-is-nowhere"];
    const failure = await failureOf(connect(misbehaving([], { command: "npx", args, timeoutMs: 30_000 })));
    expect(failure).toMatchObject({
      kind: "start-failed",
      message: expect.stringContaining(
        `before it was ready: npm error 404 Not Found - GET ${address}a-server-that-is-nowhere`,
      ),
    });
  });
});

describe("a handshake that fails", () => {
  it("gives up on a server that never answers, tells what it said, and ends it", async () => {
    const failure = await failureOf(connect(misbehaving(["hang-at-initialize"], { timeoutMs: 1_500 })));
    expect(failure).toMatchObject({
      kind: "timeout",
      message: 'server "test" was not ready within 1.5 s: waiting for a login',
      stderr: "waiting for a login",
    });
    expect(startedPids().filter(isAlive)).toEqual([]);
  });

  it("ends a server that ignores all requests to leave", async () => {
    await failureOf(
      connect(misbehaving(["hang-at-initialize", "ignore-shutdown", "grandchild"], { timeoutMs: 1_500 })),
    );
    expect(startedPids()).toHaveLength(2);
    expect(startedPids().filter(isAlive)).toEqual([]);
  });

  it("can be cancelled", async () => {
    const controller = new AbortController();
    const connecting = connect(misbehaving(["hang-at-initialize"]), { signal: controller.signal });
    setTimeout(() => controller.abort(), 150);
    expect(await failureOf(connecting)).toMatchObject({ kind: "cancelled" });
  });

  it("passes on a refusal with its code", async () => {
    const failure = await failureOf(connect(misbehaving(["refuse-initialize"])));
    expect(failure).toMatchObject({ kind: "rpc-error", code: -32000, message: expect.stringContaining("not today") });
  });

  it.each(["nonsense-at-initialize", "future-version"])("is a protocol error: %s", async (habit) => {
    const failure = await failureOf(connect(misbehaving([habit])));
    expect(failure.kind).toBe("protocol");
    expect(failure.message.length).toBeLessThan(400);
  });
});

describe("a handshake that works", () => {
  it("keeps what the server said of itself, unknown keys included, and declares that questions are answered", async () => {
    const connection = await connect(misbehaving(["old-version"]));
    expect(await connection.snapshot()).toMatchObject({
      protocolVersion: "2024-11-05",
      era: "legacy",
      serverInfo: { name: "misbehaving", version: "1", vendor: "kept" },
      capabilities: { tools: { listChanged: true }, vendor: { x: 1 } },
      clientCapabilities: { elicitation: { form: {}, url: {} } },
      instructions: '{"elicitation":{"form":{},"url":{}}}', // the capabilities that the server saw
    });
  });

  it("speaks to a server of the modern era without initialize", async () => {
    const connection = await connect(nodeServer(join(SERVERS_FOLDER, "modern-server.mjs"), [], { era: "modern" }));
    expect(await connection.snapshot()).toMatchObject({
      era: "modern",
      protocolVersion: "2026-07-28",
      instructions: "be modern",
      serverInfo: { name: "modern", version: "1" },
      tools: [{ name: "hello", description: "Says hello" }, { name: "grow" }],
    });
    expect(contentOf(await connection.callTool("hello", {}))).toBe("hello");
  });
});

describe("the surroundings of a server", () => {
  it("has the short environment, what the configuration gives, and nothing else of the host's", async () => {
    process.env["HOST_SECRET_FOR_TEST"] = "must not be seen";
    try {
      const connection = await connect(misbehaving([], { env: { GIVEN: "yes", TERM: "ours" } }));
      const seen = contentOf(await connection.callTool("environment", undefined)) as Record<string, string>;
      const allowed = new Set(["GIVEN", "PID_FILE", ...INHERITED.flatMap(({ names }) => names)]);
      expect(Object.keys(seen).filter((name) => !allowed.has(name))).toEqual([]);
      expect(seen).toMatchObject({ GIVEN: "yes", TERM: "ours", PATH: process.env["PATH"] });
    } finally {
      delete process.env["HOST_SECRET_FOR_TEST"];
    }
  });

  it("gets its arguments without a shell in between, and its working folder", async () => {
    const target = misbehaving(["$HOME; echo 'x'", ""], { cwd: SERVERS_FOLDER });
    const connection = await connect(target);
    const seen = contentOf(await connection.callTool("cwd-and-args", undefined)) as { cwd: string; args: string[] };
    expect(`${seen.cwd}/`).toBe(SERVERS_FOLDER);
    expect(seen.args.slice(2)).toEqual(["$HOME; echo 'x'", ""]);
  });
});
