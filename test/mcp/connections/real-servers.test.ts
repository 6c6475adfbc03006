import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject } from "../../../schemas/json/json.ts";
import type { CallProgress } from "@codemode/runtime/connections/server-connection";
import { connect, contentOf, failureOf, nodeServer, NODE_MODULES } from "./misbehaving.ts";

let folder = "";
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "codemode-real-servers-")));
});
afterAll(() => rmSync(folder, { recursive: true }));

function reference(name: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  return nodeServer(join(NODE_MODULES, `@modelcontextprotocol/server-${name}/dist/index.js`), args, { env });
}

it("speaks to server-everything", async () => {
  const connection = await connect(reference("everything"));
  const snapshot = await connection.snapshot();
  expect(snapshot).toMatchObject({ era: "legacy", protocolVersion: "2025-11-25", capabilities: { tasks: {} } });
  const names = snapshot.tools.map(({ name }) => name);
  expect(names).toContain("get-structured-content");
  // Shown only to clients that declare what codemode does not answer.
  expect(names.filter((name) => /roots|sampling/.test(name))).toEqual([]);

  expect(contentOf(await connection.callTool("get-sum", { a: 2, b: 40 }))).toContain("42");
  const weather = await connection.callTool("get-structured-content", { location: "Chicago" });
  expect(weather["structuredContent"]).toHaveProperty("temperature");

  const reports: CallProgress[] = [];
  await connection.callTool(
    "trigger-long-running-operation",
    { duration: 0.2, steps: 4 },
    { onProgress: (progress) => reports.push(progress) },
  );
  expect(reports.map(({ progress }) => progress)).toEqual([1, 2, 3, 4]);

  expect(await connection.callTool("no-such-tool", {})).toMatchObject({ isError: true });
});

it("lets a server ask the user, if there is one", async () => {
  const asked: unknown[] = [];
  const elicit = async (request: JsonObject): Promise<JsonObject> => {
    asked.push(request["message"]);
    return { action: "accept", content: { name: "Ada" } };
  };
  const connection = await connect(reference("everything"));
  const { clientCapabilities, tools } = await connection.snapshot();
  expect(clientCapabilities).toHaveProperty("elicitation");
  expect(tools.map(({ name }) => name)).toContain("trigger-elicitation-request");
  const listener = { person: asked, elicit };
  const { content } = await connection.callTool("trigger-elicitation-request", {}, { listener });
  expect(JSON.stringify(content)).toContain("Name: Ada");
  expect(asked).toHaveLength(1);
});

it("speaks to server-filesystem", async () => {
  writeFileSync(join(folder, "note.txt"), "read me");
  const connection = await connect(reference("filesystem", [folder]));
  const result = await connection.callTool("read_text_file", { path: join(folder, "note.txt") });
  expect(contentOf(result)).toBe("read me");
  expect(await connection.callTool("read_text_file", { path: "/etc/passwd" })).toMatchObject({ isError: true });
});

it("speaks to server-memory", async () => {
  const connection = await connect(reference("memory", [], { MEMORY_FILE_PATH: join(folder, "memory.json") }));
  const entity = { name: "codemode", entityType: "tool", observations: ["small"] };
  await connection.callTool("create_entities", { entities: [entity] });
  expect(await connection.callTool("read_graph", {})).toMatchObject({ structuredContent: { entities: [entity] } });
});

it("tells what a real server says when it cannot start", async () => {
  const failure = await failureOf(connect(reference("filesystem", ["/no/such/folder"])));
  expect(failure).toMatchObject({ kind: "start-failed", exitCode: 1 });
  expect(failure.stderr).toContain("/no/such/folder");
});
