import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signatureOf } from "../../templates/emit-signature.ts";
import { printedContent } from "@codemode/runtime/connections/printed-content";
import { makeConnectionSet } from "../../runtime/mcp/connection-set.ts";
import { makeDiscovery } from "../../runtime/host/discovery/make-discovery.ts";
import { handleCalls } from "../../runtime/host/call/handle-calls.ts";
import { makeSandboxPool, type SandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import { runBundle } from "../../runtime/sandbox/pool/run-bundle.ts";
import { snapshotServers } from "../../runtime/host/lock/snapshot-servers.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { toConfig } from "../../schemas/config/to-config.ts";
import { TEST_LIMITS, toBundle } from "../sandbox/realm/run-script.ts";
import { hostOf, runOf } from "./run-of.ts";

const TOKEN = "tok/0123456789";
const server = { command: process.execPath, args: [resolve("test/servers/long-answers.mjs")] };
const config = toConfig(
  { mcpServers: { plain: server, guarded: { ...server, env: { API_TOKEN: TOKEN } } } },
  "codemode.config.json",
  process.cwd(),
);
const connections = makeConnectionSet(config);
let lockfile: Lockfile;
let pool: SandboxPool;

beforeAll(async () => {
  const { taken } = await snapshotServers(config.servers, connections, config);
  lockfile = { servers: new Map(taken.map(({ server: locked }) => [locked.id, locked])) };
  pool = makeSandboxPool({ refill: false, reuse: { times: 1000, renew: "compartment" } });
});
afterAll(() => Promise.all([connections.close(), pool.close()]));

/** Runs a script that calls `long` of the server; the reply is in `text`, and `value()` parses it. */
async function run(serverId: string, kind: string, result: string) {
  const reported: Diagnostic[] = [];
  const tools = [...lockfile.servers].flatMap(([id, { tools: locked }]) =>
    locked.map(({ name, exportName, integrity }) => ({ serverId: id, toolName: name, exportName, integrity })),
  );
  const given = runOf({ lockfile, manifest: { tools }, report: (diagnostic) => reported.push(diagnostic) });
  const discover = makeDiscovery(lockfile, signatureOf);
  const handleCall = handleCalls(hostOf({ guard: () => connections.get }), given, ({ toolName, input }) =>
    discover(toolName, input),
  );
  const script = `
    const text = await __codemode_call__("${serverId}", "long", ${JSON.stringify(JSON.stringify({ kind }))});
    const value = () => JSON.parse(text).value;
    __codemode_result__ = ${result};`;
  const answer = await runBundle(toBundle(script), { handleCall, pool, limits: TEST_LIMITS, trustDomain: "tests" });
  return { ...answer, reported };
}

describe("a long result", () => {
  test("reaches the script whole", async () => {
    const { result, reported } = await run("plain", "good", "[value().rows.length, value().rows[5000]]");
    expect(result).toEqual([10_000, { id: 5000, name: "The row with the number 5000", mark: "ü" }]);
    expect(reported).toEqual([]);
  });

  test("comes back whole as the result of the script", async () => {
    const { result } = await run("plain", "good", "value()");
    expect((result as { rows: unknown[] }).rows[9_999]).toEqual({
      ...{ id: 9_999, name: "The row with the number 9999", mark: "ü" },
    });
  });

  test("that is not what its schema says is named in the answer", async () => {
    const { result, reported } = await run("plain", "mismatch", "value().rows[5000].id");
    expect(result).toBe("no number");
    expect(reported).toMatchObject([
      { code: "OUTPUT_MISMATCH", message: expect.stringContaining('"/rows/5000/id" should be number') },
    ]);
  });

  test("that is no JSON fails in the script, and is named in the answer", async () => {
    const { diagnostics, reported } = await run("plain", "broken", "value()");
    expect(diagnostics).toMatchObject([{ code: "UNCAUGHT_EXCEPTION", message: expect.stringContaining("JSON") }]);
    expect(reported).toMatchObject([{ code: "OUTPUT_MISMATCH", message: expect.stringContaining("it is not JSON") }]);
  });

  test("that is not JSON fails the call that reads its value", async () => {
    const connection = await connections.get("plain");
    await expect(connection.callTool("long", { kind: "broken" })).rejects.toThrow(/not JSON/);
  });

  test.each(["secret", "hidden secret"])("keeps no credential of its server (%s)", async (kind) => {
    const { result } = await run("guarded", kind, "value().rows[5000].name");
    expect(result).toBe("The row with the [redacted: API_TOKEN]");
  });

  test("stays text where it holds no credential", async () => {
    const connection = await connections.get("guarded");
    const result = await connection.callTool("long", { kind: "good" }, { leavesText: true });
    expect(printedContent(result)?.length).toBeGreaterThan(500_000);
  });
});
