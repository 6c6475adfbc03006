import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { typeCommand } from "../e2e/open-commands.ts";
import { makeProject } from "../e2e/run-codemode.ts";
import { startTurncoatHttp } from "../servers/turncoat-server.mjs";
import { generatedProject, runForJson, runNode } from "./plain-node.ts";

const inputSchema = { type: "object", properties: { city: { type: "string" } } };
const book = { name: "book", description: "Books a trip.", inputSchema, vendor: "may change" };
const quote = {
  name: "quote",
  title: "Quote",
  description: "Says a price.",
  inputSchema,
  annotations: { readOnlyHint: true },
};
const changed = { ...book, description: "Books a trip, and more." };

const CALL = `
  import { book, quote } from "@codemode/servers/trips";
  const name = ({ name }) => name;
  console.log(JSON.stringify([typeof await book().catch(name), await book().catch(name), typeof await quote().catch(name)]));`;

async function project(): Promise<{ cwd: string; setTools: (...tools: object[]) => Promise<void> }> {
  const server = resolve("test/servers/file-server.mjs");
  const cwd = await generatedProject(
    { trips: { command: process.execPath, args: [server, "tools.json"] } },
    { "tools.json": [book, quote] },
  );
  return { cwd, setTools: (...tools) => writeFile(join(cwd, "tools.json"), JSON.stringify(tools)) };
}

test("a server that still has the tools of the lockfile gives no warning", async () => {
  const { cwd, setTools } = await project();
  await setTools({ ...quote, icons: [] }, { ...book, vendor: "changed" });
  expect(await runForJson(cwd, CALL)).toHaveLength(3);
});

test.each([
  ["changed", [changed, quote]],
  ["gone", [quote]],
])("a tool that is %s gives one warning, and is called all the same", async (_, tools) => {
  const { cwd, setTools } = await project();
  await setTools(...tools);
  const { stdout, stderr, code } = await runNode(cwd, CALL);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject(["string", expect.any(String), "string"]);
  expect(stderr.match(/\[CODEMODE_DRIFT\] CodemodeWarning: .*/g)).toEqual([
    '[CODEMODE_DRIFT] CodemodeWarning: The tool "book" of "trips" is not the one that its binding was generated from.',
  ]);
});

test("where drift is to be refused, a changed tool is not called, others are", async () => {
  const { cwd, setTools } = await project();
  await setTools(changed, quote);
  const refusing = `import { connect } from "@codemode/runtime/connect"; await connect({ config: "codemode.config.json", drift: "refuse" });`;
  const { stdout, stderr } = await runNode(cwd, refusing + CALL);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual(["string", "ToolCallError", "string"]);

  const config = join(cwd, "codemode.config.json");
  const server = resolve("test/servers/file-server.mjs");
  const trips = { command: process.execPath, args: [server, "tools.json"] };
  await writeFile(config, JSON.stringify({ mcpServers: { trips }, drift: "refuse" }));
  expect(await runForJson(cwd, CALL)).toEqual(["string", "ToolCallError", "string"]);
});

test("with drift: ignore, nothing is compared", async () => {
  const { cwd, setTools } = await project();
  await setTools(changed);
  const ignoring = `import { connect } from "@codemode/runtime/connect"; await connect({ config: "codemode.config.json", drift: "ignore" });`;
  expect(await runForJson(cwd, ignoring + CALL)).toHaveLength(3);
});

test("a tool whose output schema is the configuration's is not taken for a changed one", async () => {
  const server = resolve("test/servers/file-server.mjs");
  const cwd = await makeProject({
    "codemode.config.json": {
      mcpServers: { trips: { command: process.execPath, args: [server, "tools.json"] } },
      outputs: { "trips/book": { type: "string" } },
    },
    "tools.json": [book, quote],
  });
  expect(await typeCommand(["generate"], { cwd })).toMatchObject({ code: 0 });
  expect(await runForJson(cwd, CALL)).toHaveLength(3);
});

test.each([
  ["ends and comes back changed", "stdio", "exit"],
  ["announces a change", "stdio", "announce"],
  ["loses its session and comes back changed", "http", "forget"],
])("where drift is to be refused, a server that %s gets no further call of the changed tool", async (_, by, act) => {
  const remote = await startTurncoatHttp();
  onTestFinished(remote.close);
  const program = { command: process.execPath, args: [resolve("test/servers/turncoat-server.mjs"), "state"] };
  const cwd = await generatedProject({ jobs: by === "stdio" ? program : { url: remote.url } });
  const calls = `
    import { connect } from "@codemode/runtime/connect";
    import { work } from "@codemode/servers/jobs";
    await connect({ config: "codemode.config.json", drift: "refuse" });
    const said = (call) => call.catch(({ message }) => message);
    const first = await said(work({ n: 1 }));
    await said(work({ n: 2, act: "${act}", change: "work" }));
    console.log(JSON.stringify([first, await said(work({ n: 3 })), await said(work({ n: 4 }))]));`;
  const refused = 'The tool "work" of "jobs" is not the one that its binding was generated from.';
  expect(await runForJson(cwd, calls)).toEqual(["work 1 as itself", refused, refused]);
});
