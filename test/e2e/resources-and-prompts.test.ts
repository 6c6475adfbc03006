import { readdirSync, readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { runForJson } from "../bindings/plain-node.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject, SERVERS } from "./run-codemode.ts";
import { connectModern } from "./serve-clients.ts";
import { shareProject } from "./share-project.ts";

const notes = { command: process.execPath, args: [resolve("test/servers/notes-server.mjs")] };

const copyProject = shareProject({
  "codemode.config.json": {
    mcpServers: { everything: SERVERS.everything, notes },
    policy: { deny: ["notes/resource:note:///secret/*"] },
    audit: { file: "audit.jsonl" },
  },
});

const EXAMPLE = readFileSync("examples/resources-and-prompts.ts", "utf8");
const CHECK = readFileSync("examples/lib/check.ts", "utf8").replace("export function", "function");
/** Agents send code without files beside it. */
const CODE = EXAMPLE.replace(/^import \{ check \}.*\n/m, CHECK);

async function copyWithExample(): Promise<string> {
  const cwd = await copyProject();
  await cp("examples/lib", join(cwd, "lib"), { recursive: true });
  await cp("examples/resources-and-prompts.ts", join(cwd, "script.ts"));
  return cwd;
}

const DOCUMENTS = "node_modules/@modelcontextprotocol/server-everything/dist/docs";
const RESULT = {
  sizes: readdirSync(DOCUMENTS).map(
    (name) => `${name}: ${readFileSync(join(DOCUMENTS, name), "utf8").length} characters`,
  ),
  ...{ bytes: true, messages: 2, text: "Resource 7" },
};

test("the example is run, recorded, and replayed without the servers", async () => {
  const cwd = await copyWithExample();
  const recorded = await typeCommand(["run", "script.ts", "--json", "--record", "run.json"], { cwd });
  expect(recorded.code, recorded.stdout).toBe(0);
  const answer = JSON.parse(recorded.stdout) as RunAnswer;
  expect(answer).toMatchObject({ diagnostics: [], result: RESULT });
  expect(answer.toolTrace.map(({ toolName }) => toolName)).toEqual(
    expect.arrayContaining(["resource:list", "resource:*", "prompt:args-prompt", "get-sum"]),
  );
  expect(await typeCommand(["replay", "run.json"], { cwd })).toMatchObject({ code: 0 });
});

test("the example does the same by serve", async () => {
  const client = await connectModern(await copyWithExample());
  const { tools } = await client.listTools();
  expect(tools[0]?.description).toContain("everything/resources: ");
  const called = await client.callTool({ name: "codemode.run", arguments: { code: CODE } });
  expect(called.structuredContent).toMatchObject({ result: RESULT });
  await client.close();
});

const READ_ALL = `
  import { list, read, note } from "@codemode/servers/notes/resources";
  import { review } from "@codemode/servers/notes/prompts";
  import { listServers, listTools, getTool, searchTools } from "@codemode/discovery";
  const attempt = (call) => call.then(String, ({ name, message }) => name + ": " + message);
  const forge = async (...names) => JSON.parse(await globalThis.__codemode_call__(...names)).error?.errorClass;
  const { results } = await searchTools("review", { serverId: "notes" });
  export default {
    listed: (await list()).map(({ uri }) => uri),
    open: await attempt(read("note:///open/today")),
    template: await attempt(note({ folder: "open", name: "today" })),
    denied: await Promise.all([
      attempt(read("note:///secret/key")),
      attempt(note({ folder: "secret", name: "key" })),
    ]),
    refused: await Promise.all([
      attempt(read("note:///open/../secret/key")),
      attempt(read("NOTE:///secret/key")),
      attempt(read("note:///%73ecret/key")),
    ]),
    forged: [
      await forge("notes", "resource:note:///open/today", "{}"),
      await forge("notes", "resource:file:///{+path}", '{"path":"etc/passwd"}'),
      await forge("notes/resources", "resource:*", '"note:///secret/key"'),
      await forge("notes", "resource:*", '{"uri":"note:///secret/key"}'),
      await forge("notes", "prompt:other", "{}"),
    ],
    prompt: (await review({ topic: "x" })).messages.length,
    modules: (await listServers()).find(({ serverId }) => serverId === "notes").modules,
    tools: (await listTools("notes/prompts")).map(({ exportName }) => exportName),
    tool: (await getTool("notes/resources", "read")).exportName,
    found: results.map(({ serverId, exportName }) => serverId + "/" + exportName),
  };`;

test("the policy holds for each resource, however it is spelt; discovery and the audit log know all of it", async () => {
  const cwd = await copyProject();
  const finished = await typeCommand(["run", "--eval", READ_ALL, "--json"], { cwd });
  const { result, diagnostics, toolTrace } = JSON.parse(finished.stdout) as RunAnswer;
  const denied = (uri: string) => `ToolCallError: The policy denies calls of notes/resource:${uri}.`;
  expect(result).toEqual({
    listed: ["note:///open/today"],
    open: "text of note:///open/today",
    template: "text of note:///open/today",
    denied: ["note:///secret/key", "note:///secret/key"].map(denied),
    refused: Array(3).fill(expect.stringContaining("is refused")),
    forged: [
      "ToolNotFoundError",
      "ToolNotFoundError",
      "ServerNotFoundError",
      "SchemaValidationError",
      "ToolNotFoundError",
    ],
    prompt: 1,
    modules: ["notes/resources", "notes/prompts"],
    tools: ["review"],
    tool: "read",
    found: ["notes/prompts/review"],
  });
  expect(diagnostics.every(({ code }) => code === "POLICY_DENIED")).toBe(true);
  // What was refused is in the trace and not in the server; inputs are in neither trace nor names.
  expect(toolTrace.filter(({ ok }) => !ok)).toHaveLength(10);
  expect(JSON.stringify(toolTrace)).not.toMatch(/secret|etc/);
  const lines = readFileSync(join(cwd, "audit.jsonl"), "utf8").trim().split("\n");
  const calls = lines.map((line) => JSON.parse(line) as { toolName?: string });
  expect(calls.filter(({ toolName }) => toolName === "resource:*").length).toBeGreaterThan(4);
  expect(calls.some(({ toolName }) => toolName === "prompt:review")).toBe(true);
});

test.each([
  [["tools", "notes"], /^notes\/resource:note:\/\/\/\{folder\}\/\{name\} {2}One note\.$/m],
  [["types", "notes/resources/note"], /declare module "@codemode\/servers\/notes\/resources"[^]*function note\(/],
  [["search", "review", "topic"], /^notes\/prompt:review$/m],
  [["call", "notes/prompts/review", '{"topic":"x"}'], /review of x/],
])("codemode %j knows them", async (args, shown) => {
  const cwd = await copyProject();
  const { stdout, stderr, code } = await typeCommand(args, { cwd });
  expect([code, stdout], stderr).toEqual([0, expect.stringMatching(shown)]);
});

test("a manifest has what the script imports and no more, and a misspelt name is a mistake before the run", async () => {
  const cwd = await copyProject();
  const script = 'import { note } from "@codemode/servers/notes/resources"; export default await note({ folder: 5 });';
  const { stdout } = await typeCommand(["check", "--eval", script, "--json"], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    manifest: { tools: [{ serverId: "notes", toolName: "resource:note:///{folder}/{name}", policy: "allow" }] },
    diagnostics: [{ code: "TYPE_ERROR" }],
  });
  const wrong = 'import { reveiw } from "@codemode/servers/notes/prompts"; await reveiw({ topic: "x" });';
  const run = await typeCommand(["run", "--eval", wrong, "--json"], { cwd });
  expect(JSON.parse(run.stdout)).toMatchObject({
    diagnostics: [{ code: "IMPORT_FAILURE", hint: "Did you mean `review`?" }],
  });
});

test("the same functions work in plain Node", async () => {
  const cwd = await copyProject();
  const program = `
    import { note, read } from "@codemode/servers/notes/resources";
    import { review } from "@codemode/servers/notes/prompts";
    const values = [await read("note:///open/blob"), await note({ folder: "a", name: "b" }), await review({ topic: "x" })];
    console.log(JSON.stringify(values));`;
  expect(await runForJson(cwd, program)).toEqual([
    { uri: "note:///open/blob", mimeType: "image/png", blob: "AAEC" },
    "text of note:///a/b",
    { description: "review of x", messages: [{ role: "user", content: { type: "text", text: '{"topic":"x"}' } }] },
  ]);
});

test("hostile names and texts stay inside names and comments: the packages parse, type-check and call by name", async () => {
  const odd = { command: process.execPath, args: [resolve("test/servers/notes-server.mjs"), "hostile-names"] };
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { odd } },
    "script.ts": `
      import * as prompts from "@codemode/servers/odd/prompts";
      import * as resources from "@codemode/servers/odd/resources";
      export default [Object.keys(prompts).sort(), Object.keys(resources).sort(), typeof prompts.then_];`,
  });
  expect(await typeCommand(["generate"], { cwd })).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await typeCommand(["run", "script.ts"], { cwd });
  expect(code, stderr).toBe(0);
  const [prompts, resources, then] = JSON.parse(stdout) as [string[], string[], string];
  expect(prompts).toEqual(expect.arrayContaining(["__proto__", "constructor", "then_"]));
  expect(prompts).not.toContain("then");
  expect(resources).toEqual(expect.arrayContaining(["list", "read"]));
  expect(then).toBe("function");
  expect(await typeCommand(["check", "script.ts"], { cwd })).toMatchObject({ code: 0 });
});
