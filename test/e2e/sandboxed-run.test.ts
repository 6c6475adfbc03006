import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject, STAND_INS } from "./run-codemode.ts";

/** Runs code through the command, with no server configured unless asked for. */
async function run(
  code: string,
  args: string[] = [],
  mcpServers: object = {},
): Promise<RunAnswer & { exitCode: number | null }> {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers }, "script.ts": code });
  const { stdout, code: exitCode } = await typeCommand(["run", "script.ts", "--json", ...args], { cwd });
  return { ...(JSON.parse(stdout) as RunAnswer), exitCode };
}

test("an import of node:fs is refused as IMPORT_FAILURE, with its place and a hint", async () => {
  expect(
    await run('const a = 1;\nimport { readFileSync } from "node:fs";\nexport default readFileSync(a);'),
  ).toMatchObject({
    result: null,
    exitCode: 1,
    diagnostics: [
      { code: "IMPORT_FAILURE", path: expect.stringMatching(/^script\.ts:2:\d+$/), hint: expect.any(String) },
    ],
  });
});

test("nothing of Node or of a network is there", async () => {
  const names =
    "process require fetch Buffer module __dirname setInterval XMLHttpRequest WebSocket global WebAssembly".split(" ");
  const answer = await run(`export default ${JSON.stringify(names)}.filter((name) => name in globalThis);`);
  expect(answer).toMatchObject({ result: [], diagnostics: [], exitCode: 0 });
});

test("an endless loop ends at the time-out with its logs kept", async () => {
  expect(await run('console.log("first"); while (true) {}', ["--timeout", "500"])).toMatchObject({
    logs: [{ level: "log", message: "first" }],
    result: null,
    exitCode: 1,
    diagnostics: [{ code: "SANDBOX_LIMIT", errorClass: "SandboxLimitError", message: expect.stringContaining("500") }],
  });
});

test("an uncaught error names line and column of the TypeScript source", async () => {
  const script =
    'interface Unused { a: string }\nconst fail = (): never => {\n  throw new Error("broken");\n};\nfail();\n';
  expect(await run(script)).toMatchObject({
    diagnostics: [{ code: "UNCAUGHT_EXCEPTION", message: expect.stringContaining("broken"), path: "script.ts:3:9" }],
  });
});

test("a syntax error names line and column", async () => {
  expect(await run("const a = 1;\nconst b = = 2;\n")).toMatchObject({
    exitCode: 1,
    diagnostics: [{ code: "SYNTAX_ERROR", path: "script.ts:2:11" }],
  });
});

test("the input is there, and a relative module too", async () => {
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: {} },
    "double.ts": "export const double = (value: number): number => 2 * value;",
    "script.ts": 'import { double } from "./double.ts";\nexport default double(globalThis.__codemode_input__.value);',
  });
  expect(await typeCommand(["run", "script.ts", "--input", '{"value": 21}'], { cwd })).toMatchObject({
    code: 0,
    stdout: "42\n",
  });
});

test("a wrong input is refused before it is sent, with the pointer and a hint", async () => {
  const answer = await run(
    `import { get_sum } from "@codemode/servers/everything";
     import { SchemaValidationError } from "@codemode/errors";
     try {
       await get_sum({ a: 1, bb: 2 } as never);
     } catch (error) {
       const { name, toolName, exportName, pointer, hint } = error as SchemaValidationError;
       globalThis.__codemode_result__ = { known: error instanceof SchemaValidationError, name, toolName, exportName, pointer, hint };
     }`,
    [],
    { everything: STAND_INS.everything },
  );
  expect(answer).toMatchObject({
    result: { known: true, name: "SchemaValidationError", toolName: "get-sum", exportName: "get_sum", pointer: "/b" },
    toolTrace: [],
  });
});

test("a server's pattern that takes an exponential time costs a script nothing, and is held against the input by the host", async () => {
  const answer = await run(
    `import { name } from "@codemode/servers/slow";
     const refused = await name({ text: "${"a".repeat(60)}!", ["${"x".repeat(60)}!"]: "" }).catch((error) => error);
     export default { refused: [refused.name, refused.pointer], taken: await name({ text: "${"a".repeat(60)}" }) };`,
    ["--timeout", "5000"],
    { slow: { command: process.execPath, args: [resolve("test/servers/slow-pattern.mjs")] } },
  );
  expect(answer).toMatchObject({
    result: { refused: ["SchemaValidationError", "/text"], taken: "a".repeat(60) },
    exitCode: 0,
  });
});

test("a tool outside the manifest is refused by the host, even if the sandbox calls it", async () => {
  const answer = await run(
    `import { echo } from "@codemode/servers/everything";
     await echo({ message: "fine" });
     const reply = await globalThis.__codemode_call__("everything", "get-sum", '{"a":1,"b":2}');
     export default JSON.parse(reply);`,
    [],
    { everything: STAND_INS.everything },
  );
  expect(answer.result).toMatchObject({
    ok: false,
    error: { errorClass: "ToolNotFoundError", message: /manifest/ } as never,
  });
});

test("a tool that the policy denies is refused, and the answer says so", async () => {
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { everything: STAND_INS.everything }, policy: { deny: ["everything/echo"] } },
    "script.ts": 'import { echo } from "@codemode/servers/everything"; await echo({ message: "hi" });',
  });
  const { stdout, code } = await typeCommand(["run", "script.ts", "--json"], { cwd });
  expect(code).toBe(1);
  expect((JSON.parse(stdout) as RunAnswer).diagnostics.map((diagnostic) => diagnostic.code)).toContain("POLICY_DENIED");
});

test("a time-out cancels the calls in flight: the server is notified", async () => {
  const hanging = {
    command: process.execPath,
    args: [resolve("test/servers/hanging-server.mjs"), "notifications.txt"],
  };
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { hanging } },
    "script.ts": 'import { wait } from "@codemode/servers/hanging"; console.log("waiting"); await wait();',
  });
  const { stdout } = await typeCommand(["run", "script.ts", "--json", "--timeout", "700"], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    logs: [{ message: "waiting" }],
    diagnostics: [{ code: "SANDBOX_LIMIT", errorClass: "SandboxLimitError" }],
    toolTrace: [{ serverId: "hanging", toolName: "wait", ok: false }],
  });
  expect(await readFile(join(cwd, "notifications.txt"), "utf8")).toContain("notifications/cancelled\n");
});

test("a log line cannot command the terminal", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} } });
  const { stderr } = await typeCommand(["run", "--eval", 'console.log("a\\u001b]0;title\\u0007b\\nc")'], { cwd });
  expect(stderr).toContain("a\\u001b]0;title\\u0007b\nc\n");
});
