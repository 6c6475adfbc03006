import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "../e2e/open-commands.ts";
import { makeProject, STAND_INS } from "../e2e/run-codemode.ts";
import { runTsc } from "../templates/run-tsc.ts";

const SCRIPT = `
  import { AuthenticationError, ToolCallError } from "@codemode/errors";
  import { searchTools } from "@codemode/discovery";
  import { get_sum } from "@codemode/servers/everything";

  const { results } = await searchTools("sum", { limit: 1 });
  console.log(results[0]?.serverId, new URL("https://example.org").host, __codemode_input__.a);
  setTimeout(() => {}, 1);
  try {
    globalThis.__codemode_result__ = await get_sum({ a: __codemode_input__.a, b: 2 });
  } catch (error) {
    if (error instanceof AuthenticationError) console.error(error.serverId);
    else if (error instanceof ToolCallError) console.error(error.toolName, error.hint);
  }`;

/** A new user's first two commands, in a folder where an MCP client has its file. */
async function newProject(files: Record<string, unknown> = {}): Promise<{ cwd: string; said: string }> {
  const cwd = await makeProject({ ".mcp.json": { mcpServers: { everything: STAND_INS.everything } }, ...files });
  const env = { HOME: cwd, USERPROFILE: cwd, XDG_CONFIG_HOME: cwd, APPDATA: cwd };
  const { code, stderr } = await typeCommand(["init"], { cwd, env });
  expect(code, stderr).toBe(0);
  expect(await typeCommand(["generate"], { cwd })).toMatchObject({ code: 0 });
  await writeFile(join(cwd, "script.ts"), SCRIPT);
  return { cwd, said: stderr };
}

test.each([
  ["without a package.json", {}],
  ["in a CommonJS package", { "package.json": { type: "commonjs" } }],
  ["in an ES package", { "package.json": { type: "module" } }],
])("after init and generate a script is checked as it runs, %s", async (_, files) => {
  const { cwd } = await newProject(files);
  expect(await runTsc(cwd)).toEqual([]);
  const mistakes = `${SCRIPT}
    await get_sum({ a: 1, bee: 2 });
    document.title = "no such thing in a sandbox";
    import "@codemode/error";
    new ToolCallError("x", {});`;
  await writeFile(join(cwd, "script.ts"), mistakes);
  const codes = (await runTsc(cwd)).flatMap((line) => /script\.ts.*error (TS\d+)/.exec(line)?.[1] ?? []);
  expect(codes).toEqual(["TS2353", "TS2584", "TS2882", "TS2739"]);
});

test("a tsconfig.json that is there stays as it is, and init says what it should have", async () => {
  const tsconfig =
    '{ "compilerOptions": { "module": "nodenext", "strict": true, "noEmit": true, "types": ["@codemode/sandbox"], "lib": ["es2023"] } }';
  const { cwd, said } = await newProject({ "tsconfig.json": tsconfig, "package.json": { type: "module" } });
  expect(await readFile(join(cwd, "tsconfig.json"), "utf8")).toBe(tsconfig);
  expect(said).toContain('"types": ["@codemode/sandbox"]');
  // The check of declarations is on here, so those of the packages are sound themselves.
  expect(await runTsc(cwd)).toEqual([]);
});

test("what is installed under one of the names is left alone, a link that leads nowhere is not", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { everything: STAND_INS.everything } } });
  const installed = join(cwd, "node_modules/@codemode/errors");
  await mkdir(installed, { recursive: true });
  await writeFile(join(installed, "package.json"), '{ "name": "@codemode/errors", "version": "9.9.9" }');
  await symlink(join(cwd, "nowhere"), join(cwd, "node_modules/@codemode/runtime"));
  expect(await typeCommand(["generate"], { cwd })).toMatchObject({ code: 0 });
  expect(await readFile(join(installed, "package.json"), "utf8")).toContain("9.9.9");
  const runtime = await readFile(join(cwd, "node_modules/@codemode/runtime/package.json"), "utf8");
  expect(runtime).toBe(await readFile(resolve("runtime/bindings/package.json"), "utf8"));
});

test("connect is typed, also for a compiler that looks into declarations", async () => {
  const { cwd } = await newProject({
    "tsconfig.json": {
      compilerOptions: { module: "nodenext", strict: true, noEmit: true, target: "es2022", types: [], lib: ["es2023"] },
      files: ["program.ts"],
    },
    "package.json": { type: "module" },
    "program.ts": `
      import { connect, setCaller, type Connection } from "@codemode/runtime/connect";
      import { get_sum } from "@codemode/servers/everything";
      await using connection: Connection = await connect({ servers: { memory: { command: "x", args: ["y"], env: { A: "b" } } } });
      using another = await connect({ servers: { remote: { url: "https://x", headers: { Authorization: "\${TOKEN}" } } }, drift: "refuse" });
      await using third = await connect({ config: "codemode.config.json" });
      setCaller(async ({ serverId, toolName, input }) => ({ content: [{ type: "text", text: serverId + toolName + String(input) }] }));
      const sum: unknown = await get_sum({ a: 1, b: 2 });
      await connection.close();
      export { another, third, sum };`,
  });
  expect(await runTsc(cwd)).toEqual([]);
  await writeFile(
    join(cwd, "program.ts"),
    'import { connect } from "@codemode/runtime/connect"; await connect({ servers: { a: { comand: "x" } } });\nexport {};',
  );
  expect((await runTsc(cwd)).join("\n")).toMatch(
    /program\.ts.*error TS2322|program\.ts.*error TS2353|program\.ts.*error TS2561/,
  );
});
