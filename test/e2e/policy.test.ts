import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject } from "./run-codemode.ts";

const inputSchema = { type: "object" };
const TOOLS = [
  { name: "read", inputSchema, annotations: { readOnlyHint: true } },
  { name: "append", inputSchema, annotations: { destructiveHint: false } },
  { name: "remove", inputSchema },
];
const USE = (...names: string[]) =>
  `import { ${names.join(", ")} } from "@codemode/servers/notes"; export default [${names.map((name) => `await ${name}({})`).join(", ")}];`;

async function makeNotes(config: object): Promise<string> {
  const notes = { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), "tools.json"] };
  return makeProject({
    "codemode.config.json": { mcpServers: { notes }, ...config },
    "tools.json": TOOLS,
  });
}

async function run(cwd: string, code: string, ...options: string[]): Promise<RunAnswer & { exitCode: number | null }> {
  const { code: exitCode, stdout } = await typeCommand(["run", "--eval", code, "--json", ...options], { cwd });
  return { ...(JSON.parse(stdout) as RunAnswer), exitCode };
}

test("a policy over annotations: read freely, ask before writing, never destroy", async () => {
  const cwd = await makeNotes({
    policy: { allow: ["@readOnly"], ask: ["notes/append"], deny: ["notes/@destructive"] },
  });
  expect(await run(cwd, USE("read"))).toMatchObject({ exitCode: 0, result: ["read {}"], diagnostics: [] });
  expect(await run(cwd, USE("read", "remove"))).toMatchObject({
    exitCode: 1,
    result: null,
    toolTrace: [],
    diagnostics: [{ severity: "error", code: "POLICY_DENIED", message: expect.stringContaining("notes/remove") }],
  });
  expect(await run(cwd, USE("read", "append"))).toMatchObject({
    exitCode: 1,
    toolTrace: [],
    diagnostics: [
      {
        severity: "error",
        code: "APPROVAL_REQUIRED",
        message: expect.stringMatching(/call notes\/append, and/),
        hint: expect.stringContaining("--approve"),
      },
    ],
  });
  expect(await run(cwd, USE("read", "append"), "--approve")).toMatchObject({
    exitCode: 0,
    result: ["read {}", "append {}"],
  });
  // Approval is for what the policy asks about: what it denies stays denied.
  expect(await run(cwd, USE("remove"), "--approve")).toMatchObject({ diagnostics: [{ code: "POLICY_DENIED" }] });
});

test.each([
  ["of the policy", { policy: { deny: ["@destuctive"] } }, '"@destuctive" in "/policy/deny"', '"@destructive"'],
  ["for one server", { policy: { ask: ["notes/@readonly"] } }, '"notes/@readonly"', '"notes/@readOnly"'],
  [
    "of a client",
    { serve: { clients: { ci: { token: "t", policy: { allow: ["@safe"] } } } } },
    '"@safe" in "/serve/clients/ci/policy/allow"',
    "Known are @readOnly, @destructive, @idempotent, @openWorld.",
  ],
])("an annotation that does not exist is an error of the configuration: %s", async (_, config, cause, hint) => {
  const cwd = await makeNotes(config);
  const { code, stdout, stderr } = await typeCommand(["run", "--eval", "1"], { cwd });
  const [causeLine, hintLine, ...rest] = stderr.split("\n");
  expect([code, stdout, rest]).toEqual([2, "", [""]]);
  expect(causeLine).toContain(`error: codemode.config.json: unknown annotation ${cause}`);
  expect(hintLine).toContain(hint);
});
