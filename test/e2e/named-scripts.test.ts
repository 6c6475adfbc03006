import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { connectLegacy as connectToken, connectModern as connectModernToken } from "../serve/http/start-http.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject, STAND_INS } from "./run-codemode.ts";
import { connectLegacy, type connectModern } from "./serve-clients.ts";
import { serveOverHttp } from "./serve-over-http.ts";
import { shareInFile } from "./share-in-file.ts";
import { shareProject } from "./share-project.ts";

const SUM = `import { label } from "./lib/label.ts";
import { get_sum } from "@codemode/servers/everything";
export const input = { type: "object", required: ["a"], properties: { a: { type: "number" } } };
const { a } = globalThis.__codemode_input__ as { a: number };
console.log(label);
export default await get_sum({ a, b: 2 });
`;
const WIPE = `import { delete_entities } from "@codemode/servers/memory";
export default await delete_entities({ entityNames: [] });
`;

const SCRIPTS = {
  sum: { file: "scripts/sum.ts", description: "Adds 2 to a number.", tool: true },
  wipe: { file: "scripts/wipe.ts", tool: true },
  broken: { file: "scripts/broken.ts", tool: true },
};

const { everything, memory } = STAND_INS;
const CONFIG = { mcpServers: { everything, memory }, scripts: SCRIPTS };

const copyProject = shareProject({
  "codemode.config.json": CONFIG,
  "scripts/lib/label.ts": 'export const label: string = "adding";\n',
  "scripts/sum.ts": SUM,
  "scripts/wipe.ts": WIPE,
  "scripts/broken.ts": 'import { none } from "@codemode/servers/memory"; await none();\n',
});

/** A locked project with the scripts `sum`, `wipe` and `broken`. */
function makeScripted(config: object = {}): Promise<string> {
  return copyProject({ "codemode.config.json": { ...CONFIG, ...config } });
}

type Client = Awaited<ReturnType<typeof connectLegacy>> | Awaited<ReturnType<typeof connectModern>>;

async function call(client: Client, input: Record<string, unknown>, name = "codemode.run"): Promise<RunAnswer> {
  const result = await client.callTool({ name, arguments: input });
  expect(result.isError ?? false).toBe(false);
  return result.structuredContent as unknown as RunAnswer;
}

async function namesOf(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

const LIST = 'import { listScripts } from "@codemode/discovery"; export default await listScripts();';
const SUM_INFO = {
  name: "sum",
  description: "Adds 2 to a number.",
  inputSchema: { type: "object", required: ["a"], properties: { a: { type: "number" } } },
  tools: ["everything/get-sum"],
};

describe("on the command line", () => {
  test("a name runs, checks and bundles its script from every folder", async () => {
    const cwd = await makeScripted();
    const elsewhere = ["--cwd", join(cwd, "scripts"), "--config", "../codemode.config.json"];
    expect(await typeCommand(["run", "sum", "--input", '{"a":40}', ...elsewhere], { cwd })).toMatchObject({
      code: 0,
      stdout: '"The sum of 40 and 2 is 42."\n',
    });
    const checked = await typeCommand(["check", "sum"], { cwd });
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining("everything/get-sum") });
    expect((await typeCommand(["bundle", "sum", "-o", "sum.json"], { cwd })).code).toBe(0);

    const config = { mcpServers: { everything }, scripts: { pinned: "sum.json" } };
    await writeFile(join(cwd, "codemode.config.json"), JSON.stringify(config));
    expect(await typeCommand(["run", "pinned", "--input", '{"a":1}'], { cwd })).toMatchObject({
      code: 0,
      stdout: '"The sum of 1 and 2 is 3."\n',
    });
    await writeFile(join(cwd, "inputs.jsonl"), '{"a":1}\n{"a":2}\n');
    expect((await typeCommand(["run", "pinned", "--inputs", "inputs.jsonl"], { cwd })).stdout).toBe(
      '{"line":1,"ok":true,"result":"The sum of 1 and 2 is 3."}\n{"line":2,"ok":true,"result":"The sum of 2 and 2 is 4."}\n',
    );
  });

  test("a configured name is the script, also where there is a file of that name; other words are files", async () => {
    const cwd = await makeProject({
      "codemode.config.json": { mcpServers: {}, scripts: { one: "one.js" } },
      "one.js": "export default 1;",
      one: "export default 2;",
      two: "export default 3;",
    });
    expect((await typeCommand(["run", "one"], { cwd })).stdout).toBe("1\n");
    expect((await typeCommand(["run", "./one"], { cwd })).stdout).toBe("2\n");
    expect((await typeCommand(["run", "two"], { cwd })).stdout).toBe("3\n");
  });

  test.each([
    ["run", "sun", 'Did you mean "sum"?'],
    ["check", "nothing-like-it", "Configured: sum, wipe, broken."],
    ["bundle", "Wype", 'Did you mean "wipe"?'],
  ])("%s %s: an unknown name is one line and the names that there are", async (command, name, hint) => {
    const finished = await typeCommand([command, name, "--frozen"].slice(0, command === "check" ? 2 : 3), {
      cwd: await makeScripted(),
    });
    expect(finished).toMatchObject({ code: 2, stdout: "" });
    expect(finished.stderr).toBe(`error: No script or file "${name}" found.\nhint: ${hint}\n`);
  });
});

describe("with a client of serve", () => {
  const served = shareInFile(async () => {
    const cwd = await makeScripted();
    return { cwd, client: await connectLegacy(cwd) };
  });

  test("a saved script is named in the description, found by code, and runs by its name", async () => {
    const { client } = served();
    const [runTool] = (await client.listTools()).tools;
    expect(runTool?.description).toContain("Saved scripts, run by name with { script, input } instead of code: ");
    expect(runTool?.description).toContain(": sum (Adds 2 to a number.), wipe.");
    expect(runTool?.inputSchema).toMatchObject({ type: "object", properties: { code: {}, script: {}, input: {} } });
    expect(runTool?.inputSchema).not.toHaveProperty("required");
    expect(await call(client, { code: LIST })).toMatchObject({
      result: [SUM_INFO, { name: "wipe", tools: ["memory/delete_entities"] }],
      diagnostics: [],
    });
    expect(await call(client, { script: "sum", input: { a: 40 } })).toMatchObject({
      logs: [{ message: "adding" }],
      result: "The sum of 40 and 2 is 42.",
      diagnostics: [],
      toolTrace: [{ serverId: "everything", toolName: "get-sum", ok: true }],
    });
    expect(await call(client, { script: "sum" })).toMatchObject({ diagnostics: [{ code: "INPUT_MISMATCH" }] });
  });

  test("one that is a tool is called as such, and answers as a run does", async () => {
    const { client } = served();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["codemode.run", "script_sum", "script_wipe"]);
    expect(tools[1]).toMatchObject({ description: "Adds 2 to a number.", inputSchema: SUM_INFO.inputSchema });
    expect(tools[2]).toMatchObject({ description: 'Runs the saved script "wipe".', inputSchema: { type: "object" } });
    expect(await call(client, { a: 40 }, "script_sum")).toMatchObject({ result: "The sum of 40 and 2 is 42." });
    expect(await call(client, { a: "40" }, "script_sum")).toMatchObject({ diagnostics: [{ code: "INPUT_MISMATCH" }] });
    expect(await call(client, {}, "script_wipe")).toMatchObject({ result: { success: true }, diagnostics: [] });
  });

  test("a name that is not there is an answer with the nearest one", async () => {
    const { client } = served();
    expect(await call(client, { script: "sums" })).toMatchObject({
      diagnostics: [{ code: "SCRIPT_UNAVAILABLE", hint: 'Did you mean "sum"?' }],
    });
    expect(await call(client, { script: "constructor" })).toMatchObject({
      diagnostics: [{ code: "SCRIPT_UNAVAILABLE", hint: "The saved scripts are: sum, wipe." }],
    });
    await expect(client.callTool({ name: "script_sums", arguments: {} })).rejects.toThrow("Unknown tool: script_sums");
  });

  // The last ones, because they write scripts.
  test("one that cannot be bundled is in no list, and says why when it is called", async () => {
    const { client, cwd } = served();
    expect(await namesOf(client)).not.toContain("script_broken");
    const why = { result: null, diagnostics: [{ code: "IMPORT_FAILURE", path: "broken.ts:1:10" }] };
    expect(await call(client, { script: "broken" })).toMatchObject(why);
    expect(await call(client, {}, "script_broken")).toMatchObject(why);
    await rm(join(cwd, "scripts/broken.ts"));
    const gone = await call(client, { script: "broken" });
    expect(gone).toMatchObject({ diagnostics: [{ code: "SCRIPT_UNAVAILABLE" }] });
    expect(JSON.stringify(gone)).not.toContain(cwd);
    await writeFile(join(cwd, "scripts/broken.ts"), "export default 5;");
    expect(await call(client, { script: "broken" })).toMatchObject({ result: 5 });
    expect(await call(client, { code: LIST })).toMatchObject({ result: [{}, {}, { name: "broken", tools: [] }] });
  });

  test("one that changes, or a file that it imports, runs as it is now", async () => {
    const { client, cwd } = served();
    await writeFile(join(cwd, "scripts/lib/label.ts"), 'export const label: string = "summing";\n');
    expect(await call(client, { script: "sum", input: { a: 1 } })).toMatchObject({ logs: [{ message: "summing" }] });
    await writeFile(
      join(cwd, "scripts/sum.ts"),
      'import { echo } from "@codemode/servers/everything"; export default await echo({ message: "new" });',
    );
    expect(await call(client, { code: LIST })).toMatchObject({
      result: [{ name: "sum", tools: ["everything/echo"] }, {}, {}],
    });
    expect(await call(client, { script: "sum" })).toMatchObject({ result: "Echo: new" });
    const [, tool] = (await client.listTools()).tools;
    expect(tool?.inputSchema).toEqual({ type: "object" });
  });
});

test("a pinned bundle has a name too, and is refused when its tool is not the locked one", async () => {
  const cwd = await makeScripted();
  await typeCommand(["bundle", "sum", "-o", "scripts/sum.json"], { cwd });
  await rm(join(cwd, "scripts/sum.ts"));
  const config = { mcpServers: { everything }, scripts: { sum: "scripts/sum.json" } };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify(config));
  expect(await typeCommand(["run", "sum", "--input", '{"a":40}'], { cwd })).toMatchObject({
    stdout: '"The sum of 40 and 2 is 42."\n',
  });

  const outputs = { "everything/get-sum": { type: "object", properties: { sum: { type: "number" } } } };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ ...config, outputs }));
  expect((await typeCommand(["lock"], { cwd })).code).toBe(0);
  const later = await connectLegacy(cwd);
  expect(await call(later, { code: LIST })).toMatchObject({ result: [] });
  expect(await call(later, { script: "sum", input: { a: 40 } })).toMatchObject({
    diagnostics: [{ code: "LOCK_DRIFT" }],
  });
});

test("policy and approval are those of any run", async () => {
  const policy = { ask: ["everything/get-sum"], deny: ["memory/delete_*"] };
  const client = await connectLegacy(await makeScripted({ policy }), [], { capabilities: { elicitation: {} } });
  const shown: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    shown.push(params.message);
    return { action: "accept", content: { approve: "Allow" } };
  });
  expect(await namesOf(client)).toEqual(["codemode.run", "script_sum"]);
  expect(await call(client, { a: 40 }, "script_sum")).toMatchObject({ result: "The sum of 40 and 2 is 42." });
  expect(shown).toEqual([expect.stringContaining('"everything/get-sum"')]);
  expect(await call(client, { script: "wipe" })).toMatchObject({ diagnostics: [{ code: "POLICY_DENIED" }] });
});

test("a client that may not call everything that a script may call does not know of it", async () => {
  const cwd = await makeScripted({
    serve: {
      clients: {
        adder: { token: "adder-token", servers: ["everything"] },
        owner: { token: "owner-token" },
      },
    },
  });
  const { url, lines } = await serveOverHttp(cwd);
  const adder = await connectModernToken(url, "adder-token");
  const owner = await connectToken(url, "owner-token");
  expect(await namesOf(owner)).toEqual(["codemode.run", "script_sum", "script_wipe"]);
  expect(await namesOf(adder)).toEqual(["codemode.run", "script_sum"]);
  expect(JSON.stringify(await adder.listTools())).not.toMatch(/wipe|broken/);
  expect(await call(adder, { code: LIST })).toMatchObject({ result: [SUM_INFO] });
  expect(await call(adder, { script: "sum", input: { a: 40 } })).toMatchObject({
    result: "The sum of 40 and 2 is 42.",
  });

  // A hidden name gets the same answer as one that does not exist.
  for (const hidden of ["wipe", "broken"]) {
    const answers = [await call(adder, { script: hidden }), await call(adder, { script: "nowhere" })];
    const [known, unknown] = answers.map((answer) => JSON.stringify(answer));
    expect(known?.replaceAll(hidden, "nowhere")).toBe(unknown);
    await expect(adder.callTool({ name: `script_${hidden}`, arguments: {} })).rejects.toThrow(
      `Unknown tool: script_${hidden}. The tools are: codemode.run, script_sum.`,
    );
  }
  // The operator gets the reason, once.
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  const reasons = messages.filter((message) => message.startsWith('The script "broken" cannot be run:\n'));
  expect(reasons).toEqual([expect.stringMatching(/\nerror: broken\.ts:1:10 IMPORT_FAILURE: /)]);
});

test("another surface runs saved scripts too", async () => {
  const client = await connectLegacy(await makeScripted({ serve: { surface: "files" } }));
  const runTool = (await client.listTools()).tools.find(({ outputSchema }) => outputSchema !== undefined);
  expect(runTool?.description).toContain("sum (Adds 2 to a number.)");
  expect(await call(client, { script: "sum", input: { a: 40 } }, runTool?.name)).toMatchObject({
    result: "The sum of 40 and 2 is 42.",
  });
});
