import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject } from "./run-codemode.ts";

const inputSchema = { type: "object", required: ["id"], properties: { id: { type: "string" } } };
const outputSchema = { type: "object", required: ["sent"], properties: { sent: { type: "integer", minimum: 3 } } };

/** What of a dry run is answered and said for each tool: `test/host/dry-run.test.ts`. These would tell, by a file that changes, that they were called. */
const TOOLS = [
  { name: "read", inputSchema, annotations: { readOnlyHint: true } },
  { name: "send", inputSchema, outputSchema, annotations: { readOnlyHint: false } },
  { name: "silent", inputSchema, "x-change": [] },
  { name: "claims", inputSchema, annotations: { readOnlyHint: "true" }, "x-change": [] },
];

async function makeMail(config: object = {}): Promise<string> {
  const mail = { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), "tools.json"] };
  return makeProject({ "codemode.config.json": { mcpServers: { mail }, ...config }, "tools.json": TOOLS });
}

async function dryRun(
  cwd: string,
  code: string,
  options: readonly string[] = [],
): Promise<{ answer: RunAnswer; stderr: string; code: number | null }> {
  const finished = await typeCommand(["run", "--dry-run", "--json", "--eval", code, ...options], { cwd });
  return { answer: JSON.parse(finished.stdout) as RunAnswer, stderr: finished.stderr, code: finished.code };
}

const ALL = `import { claims, read, send, silent } from "@codemode/servers/mail";
export default [await read({ id: "1" }), await send({ id: "2" }), await silent({ id: "3" }), await claims({ id: "4" }), await send({ id: "5" })];`;

test("what claims to read is called, all else answers what its schema promises or says that it was not called", async () => {
  const cwd = await makeMail();
  const { answer, stderr, code } = await dryRun(cwd, ALL);
  expect(code).toBe(0);
  expect(answer.result).toEqual([
    'read {"id":"1"}',
    { sent: 3 },
    "[dry run: mail/silent was not called]",
    "[dry run: mail/claims was not called]",
    { sent: 3 },
  ]);
  expect(answer.diagnostics.map(({ code }) => code)).toEqual(["DRY_RUN", "DRY_RUN", "DRY_RUN"]);
  expect(stderr.match(/^not called \(\d\): mail\/\w+ /gm)).toHaveLength(4);
  expect(JSON.parse(await readFile(join(cwd, "tools.json"), "utf8"))).toEqual(TOOLS);
});

test("a call that would be refused is refused, and is none of the skipped ones", async () => {
  const cwd = await makeMail({ policy: { deny: ["mail/silent"] } });
  const { answer, stderr } = await dryRun(
    cwd,
    `import { send } from "@codemode/servers/mail";
    const refusalOf = async (call) => JSON.parse(await call).error?.errorClass;
    const call = (tool, input) => refusalOf(__codemode_call__("mail", tool, JSON.stringify(input)));
    if (globalThis.never) await send({ id: "1" });
    export default [await call("send", { id: 1 }), await call("silent", { id: "1" }), await call("gone", {})];`,
  );
  expect(answer.result).toEqual(["SchemaValidationError", "ToolNotFoundError", "ToolNotFoundError"]);
  expect(answer.diagnostics).toEqual([]);
  expect(stderr).not.toContain("not called");
  expect(await dryRun(cwd, ALL)).toMatchObject({
    ...{ code: 1, answer: { result: null, diagnostics: [{ code: "POLICY_DENIED" }] } },
  });
});

test("approval is needed for the calls that are made, and for no others", async () => {
  const cwd = await makeMail({ policy: { ask: ["mail/*"] } });
  const refused = await dryRun(cwd, ALL);
  expect(refused.code).toBe(1);
  expect(refused.answer.diagnostics).toMatchObject([
    { code: "APPROVAL_REQUIRED", message: expect.stringMatching(/ call mail\/read, /) },
  ]);
  expect((await dryRun(cwd, ALL, ["--approve"])).code).toBe(0);
});

test("a batch can be tried too, and leaves the journal of the real one alone", async () => {
  const cwd = await makeMail();
  await writeFile(
    join(cwd, "send.js"),
    `import { send } from "@codemode/servers/mail";
    const { id } = globalThis.__codemode_input__;
    if (id === "13") throw new Error("unlucky");
    export default await send({ id });`,
  );
  await writeFile(join(cwd, "inputs.jsonl"), '{"id":"1"}\n{"id":"13"}\n');
  await typeCommand(["run", "send.js", "--inputs", "inputs.jsonl"], { cwd });
  const journal = await readFile(join(cwd, "inputs.jsonl.send.js.journal"), "utf8");

  const tried = await typeCommand(["run", "send.js", "--inputs", "inputs.jsonl", "--dry-run"], { cwd });
  expect(tried.code).toBe(1);
  expect(tried.stdout.split("\n")[0]).toBe('{"line":1,"ok":true,"result":{"sent":3}}');
  expect(tried.stderr).toContain('1: not called (1): mail/send {"id":"1"}\n');
  expect(tried.stderr).toContain("1 of 2 inputs failed: line 2.\n");
  expect(await readFile(join(cwd, "inputs.jsonl.send.js.journal"), "utf8")).toBe(journal);

  const journaled = ["run", "send.js", "--inputs", "inputs.jsonl", "--dry-run", "--journal", "x"];
  expect(await typeCommand(journaled, { cwd })).toMatchObject({ code: 2, stdout: "" });
});
