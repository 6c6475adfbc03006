import { chown, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SERVERS } from "../e2e/run-codemode.ts";
import { shareProject } from "../e2e/share-project.ts";
import { generatedProject, livingPids, runForJson, runNode, startedPids, testServer } from "./plain-node.ts";

/** A project with the server `odd`, which does all kinds of calls. */
const copyOdd = shareProject({
  "codemode.config.json": { mcpServers: { odd: testServer("misbehaving-server.mjs", "all-calls") } },
});

test("bindings call three real servers in plain Node, and the process ends by itself", async () => {
  const cwd = await generatedProject(SERVERS, { "notes.txt": "alpha\n" });
  const printed = await runForJson(
    cwd,
    `import { get_sum, get_structured_content } from "@codemode/servers/everything";
     import { read_text_file } from "@codemode/servers/filesystem";
     import { create_entities, read_graph } from "@codemode/servers/memory";
     await create_entities({ entities: [{ name: "Ada", entityType: "person", observations: ["writes"] }] });
     console.log(JSON.stringify({
       sum: await get_sum({ a: 2, b: 40 }),
       note: await read_text_file({ path: "notes.txt" }),
       weather: await get_structured_content({ location: "New York" }),
       graph: await read_graph(),
     }));`,
  );
  expect(printed).toEqual({
    sum: "The sum of 2 and 40 is 42.",
    note: { content: "alpha\n" },
    weather: { temperature: 33, conditions: "Cloudy", humidity: 82 },
    graph: { entities: [{ name: "Ada", entityType: "person", observations: ["writes"] }], relations: [] },
  });
});

test("first calls at the same time start one server, which later calls share", async () => {
  const cwd = await copyOdd();
  await rm(join(cwd, "pids"));
  const printed = await runForJson(
    cwd,
    `import { echo } from "@codemode/servers/odd";
     const inputs = Array.from({ length: 50 }, (_, index) => ({ index }));
     const answers = await Promise.all(inputs.map(echo));
     console.log(JSON.stringify([...answers, await echo({ index: 50 })].map((text) => JSON.parse(text).index)));`,
  );
  expect(printed).toEqual(Array.from({ length: 51 }, (_, index) => index));
  expect(startedPids(cwd)).toHaveLength(1);
});

test("a server that crashed is started again on the next call", async () => {
  const cwd = await copyOdd();
  await rm(join(cwd, "pids"));
  const printed = await runForJson(
    cwd,
    `import { crash, echo } from "@codemode/servers/odd";
     const errors = await Promise.allSettled([crash(), crash()]);
     console.log(JSON.stringify([...errors.map(({ reason }) => [reason.name, reason.cause.message]), await echo({ a: 1 })]));`,
  );
  expect(printed).toEqual([
    ["ToolCallError", 'server "odd" exited with code 3'],
    ["ToolCallError", 'server "odd" exited with code 3'],
    '{"a":1}',
  ]);
  expect(startedPids(cwd)).toHaveLength(2);
});

test("a server gets a short environment, and what the configuration gives it", async () => {
  const server = testServer("misbehaving-server.mjs", "all-calls");
  const cwd = await generatedProject({
    odd: { ...server, env: { ...server.env, TOKEN: "${TOKEN:-none}", PLACE: "${env:PLACE:-here}" } },
  });
  const program = `
    import { environment } from "@codemode/servers/odd";
    const { TOKEN, PLACE, STRANGER, PATH } = await environment().then(JSON.parse);
    console.log(JSON.stringify([TOKEN, PLACE, STRANGER ?? "absent", typeof PATH]));`;
  expect(await runForJson(cwd, program, { TOKEN: "secret", STRANGER: "secret too" })).toEqual([
    "secret",
    "here",
    "absent",
    "string",
  ]);
});

test.each([
  ["that ends on request", []],
  ["that ignores the end of its input and SIGTERM, with a child that does the same", ["ignore-shutdown", "grandchild"]],
])("nothing is left of a server %s", async (_, habits) => {
  const cwd = await generatedProject({ odd: testServer("misbehaving-server.mjs", "all-calls", ...habits) });
  const call = 'import { echo } from "@codemode/servers/odd"; await echo();';
  expect(await runNode(cwd, call)).toMatchObject({ code: 0, stderr: "" });
  expect(livingPids(cwd), "after the program had nothing more to do").toEqual([]);
  expect(await runNode(cwd, `${call} process.exit(5);`)).toMatchObject({ code: 5 });
  expect(livingPids(cwd), "after process.exit").toEqual([]);
  expect(await runNode(cwd, `${call} process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1e6);`)).toMatchObject(
    { code: null },
  );
  expect(livingPids(cwd), "after SIGTERM").toEqual([]);
  expect(await runNode(cwd, `${call} throw new Error("oops");`)).toMatchObject({ code: 1 });
  expect(livingPids(cwd), "after an uncaught error").toEqual([]);
});

test("a call under way keeps the process alive, a server that waits does not", async () => {
  const cwd = await copyOdd();
  const printed = await runForJson(
    cwd,
    `import { late, echo } from "@codemode/servers/odd";
     await echo();
     late({ delayMs: 400 }).then((text) => console.log(JSON.stringify(text)));`,
  );
  expect(printed).toBe("late");
});

test("the configuration of a folder above is found, in the order in which codemode looks", async () => {
  const cwd = await copyOdd();
  const program = `
    import { mkdirSync } from "node:fs";
    import { echo } from "@codemode/servers/odd";
    mkdirSync("packages/inner", { recursive: true });
    process.chdir("packages/inner");
    console.log(JSON.stringify(await echo({ a: 1 }).catch((error) => [error.name, error.message, error.hint])));`;
  expect(await runForJson(cwd, program)).toBe('{"a":1}');
  await writeFile(
    join(cwd, "packages", ".mcp.json"),
    '{ "mcpServers": { "Odd!": { "command": "x" }, "ode": { "command": "x" } } }',
  );
  expect(await runForJson(cwd, program)).toMatchObject([
    "ServerNotFoundError",
    expect.stringContaining("not be reached"),
    expect.anything(),
  ]);
  await writeFile(join(cwd, "packages", ".mcp.json"), '{ "mcpServers": { "ode": { "command": "x" } } }');
  expect(await runForJson(cwd, program)).toEqual([
    "ServerNotFoundError",
    'There is no server "odd".',
    'Did you mean "ode"?',
  ]);
});

test("the file of a client that also starts codemode itself can be used", async () => {
  const odd = testServer("misbehaving-server.mjs", "all-calls");
  const cwd = await generatedProject({ odd });
  await rm(join(cwd, "codemode.config.json"));
  await mkdir(join(cwd, ".vscode"));
  const itself = { type: "stdio", command: "npx", args: ["-y", "codemode@latest", "serve"] };
  await writeFile(join(cwd, ".vscode/mcp.json"), JSON.stringify({ servers: { ODD: itself, odd } }));
  const program = `import { echo } from "@codemode/servers/odd"; console.log(JSON.stringify(await echo({ a: 1 })));`;
  expect(await runForJson(cwd, program)).toBe('{"a":1}');
  expect(livingPids(cwd)).toEqual([]);
});

test.runIf(process.getuid?.() === 0)("a file of another user above the working folder does not count", async () => {
  const cwd = await copyOdd();
  const program = `
    import { mkdirSync } from "node:fs";
    import { echo } from "@codemode/servers/odd";
    mkdirSync("inner", { recursive: true });
    process.chdir(process.env.PLACE);
    console.log(JSON.stringify(await echo({ a: 1 }).catch(({ name }) => name)));`;
  await chown(join(cwd, "codemode.config.json"), 4711, 4711);
  expect(await runForJson(cwd, program, { PLACE: "inner" })).toBe("ServerNotFoundError");
  expect(await runForJson(cwd, program, { PLACE: "." })).toBe('{"a":1}');
});

test("importing costs neither a connection nor the modules that one needs", async () => {
  const cwd = await copyOdd();
  await rm(join(cwd, "pids"));
  const watch = `import { appendFileSync } from "node:fs";
    export async function load(url, context, next) {
      appendFileSync("loaded", url + " ");
      return next(url, context);
    }`;
  await runForJson(
    cwd,
    `import { register } from "node:module";
     register("data:text/javascript," + ${JSON.stringify(encodeURIComponent(watch))});
     await import("@codemode/servers/odd");
     await import("@codemode/runtime/errors");
     console.log("null");`,
  );
  const loaded = await readFile(join(cwd, "loaded"), "utf8");
  expect(loaded).toMatch(/dist\/runtime\/bindings\/v1\.js/);
  expect(loaded).not.toMatch(/modelcontextprotocol|child_process|node:fs|node:crypto/);
  expect(loaded.match(/dist\/runtime\/(?:bindings\/node|mcp)\/\S*/g)).toEqual([
    "dist/runtime/bindings/node/caller.js",
    "dist/runtime/bindings/node/supported-node.js",
  ]);
  expect(() => startedPids(cwd)).toThrow(/ENOENT/);
});
