import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { makeGeneratedProject, makeProject, SERVERS } from "./run-codemode.ts";
import { connectLegacy } from "./serve-clients.ts";
import { shareInFile } from "./share-in-file.ts";

/** A client of the older SDK, as most agents still have it. */
const connected = shareInFile(async () => {
  const { everything } = SERVERS;
  return connectLegacy(await makeGeneratedProject({ "codemode.config.json": { mcpServers: { everything } } }));
});

async function run(client: Client, code: string, name = "codemode.run", rest = {}): Promise<RunAnswer> {
  const result = await client.callTool({ name, arguments: { code, ...rest } });
  expect(result.isError ?? false).toBe(false);
  const [block] = result.content as { type: string; text: string }[];
  expect(JSON.parse(block?.text ?? "")).toEqual(result.structuredContent);
  return result.structuredContent as unknown as RunAnswer;
}

test("a client lists exactly one tool and runs a script with a tool call", async () => {
  const client = connected();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["codemode.run"]);
  expect(client.getInstructions()).toContain("timeoutMs");

  const answer = await run(
    client,
    `import { get_sum } from "@codemode/servers/everything";
     console.warn("adding");
     globalThis.__codemode_result__ = await get_sum({ a: 40, b: 2 });`,
  );
  expect(answer).toMatchObject({
    logs: [{ level: "warn", message: "adding" }],
    result: "The sum of 40 and 2 is 42.",
    diagnostics: [],
    toolTrace: [{ serverId: "everything", toolName: "get-sum", ok: true }],
  });
});

test("nothing of a run is left for the next one", async () => {
  const client = connected();
  await run(client, "globalThis.leftover = 1; globalThis.__codemode_result__ = 1;");
  const answer = await run(client, "globalThis.__codemode_result__ = typeof leftover;");
  expect(answer.result).toBe("undefined");
});

test("a failing script is an answer, not an error of the tool", async () => {
  const client = connected();
  const answer = await run(client, 'console.log("before");\n\nthrow new TypeError("no such luck");');
  expect(answer).toMatchObject({
    logs: [{ level: "log", message: "before" }],
    result: null,
    diagnostics: [{ severity: "error", code: "UNCAUGHT_EXCEPTION", path: "script.ts:3:7" }],
  });
});

test("limits can be lowered by the caller, and unknown ones are ignored", async () => {
  const client = connected();
  const answer = await run(client, 'console.log("kept"); while (true) {}', "codemode.run", {
    limits: { timeoutMs: 300, imaginary: 1 },
  });
  expect(answer).toMatchObject({
    logs: [{ message: "kept" }],
    result: null,
    diagnostics: [{ code: "SANDBOX_LIMIT", errorClass: "SandboxLimitError" }],
  });
});

test("a capability that is not there is said", async () => {
  const client = connected();
  const answer = await run(client, "export default 1;", "codemode.run", {
    requestedCapabilities: ["everything", "gdrive"],
  });
  expect(answer).toMatchObject({ result: 1, diagnostics: [{ code: "SERVER_UNAVAILABLE", severity: "warning" }] });
});

test("the tool can be renamed, and the names that clients make of it are answered", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} } });
  const client = await connectLegacy(cwd, ["--tool-name", "codemode_run"]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["codemode_run"]);
  for (const name of ["codemode_run", "codemode.run", "codemode-run"]) {
    expect((await run(client, "export default 7;", name)).result).toBe(7);
  }
});

test("a wrong argument is an error of the tool that says what to do", async () => {
  const client = connected();
  const result = await client.callTool({ name: "codemode.run", arguments: { source: "1" } });
  expect(result.isError).toBe(true);
  const [content] = result.content as { text: string }[];
  expect(JSON.parse(content?.text ?? "")).toEqual(result.structuredContent);
  expect(result.structuredContent).toMatchObject({
    diagnostics: [{ code: "INVALID_REQUEST", message: expect.stringContaining('"code" must be a string') }],
  });
});

test("code that no parser survives is a diagnostic, and the next run works", async () => {
  const client = connected();
  const answer = await run(client, `export default ${"[".repeat(100_000)}${"]".repeat(100_000)};`);
  expect(answer).toMatchObject({ result: null, diagnostics: [{ severity: "error", code: "SYNTAX_ERROR" }] });
  expect(await run(client, "export default 1;")).toMatchObject({ result: 1, diagnostics: [] });
});
