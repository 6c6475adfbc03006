import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { parseLines } from "./batch-results.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject, STAND_INS, runCodemode } from "./run-codemode.ts";
import { shareProject } from "./share-project.ts";
import { testOnPosix } from "../platforms/needs.ts";

const SCRIPT = `import { get_sum } from "@codemode/servers/everything";
export const input = { type: "object", required: ["a"], properties: { a: { type: "number" }, wait: { type: "number" } } };
const { a, wait = 0 } = globalThis.__codemode_input__;
await new Promise((resolve) => setTimeout(resolve, wait));
if (a === 13) throw new Error("unlucky");
console.log("did", a);
export default await get_sum({ a, b: 1 });
`;

const FILES = { "codemode.config.json": { mcpServers: { everything: STAND_INS.everything } }, "sum.js": SCRIPT };
const copyProject = shareProject(FILES);

const makeBatch = (inputs: readonly unknown[]): Promise<string> =>
  copyProject({ "inputs.jsonl": inputs.map((input) => `${JSON.stringify(input)}\n`).join("") });

test("one line of results for each input, in the order of the inputs however long each takes", async () => {
  const inputs = [300, 200, 100, 0, 0, 0].map((wait, index) => ({ a: index, wait }));
  const cwd = await makeBatch(inputs);
  const finished = await typeCommand(["run", "sum.js", "--inputs", "inputs.jsonl", "--concurrency", "3"], { cwd });
  expect(finished.code).toBe(0);
  expect(parseLines(finished.stdout)).toEqual(
    inputs.map(({ a }, index) => ({ line: index + 1, ok: true, result: `The sum of ${a} and 1 is ${a + 1}.` })),
  );
  expect(finished.stderr).toContain("1: did 0\n");
  expect(finished.stderr).toContain("All 6 inputs are done.");
  expect(existsSync(join(cwd, "inputs.jsonl.sum.js.journal"))).toBe(false);
});

test("standard input is read as well, and the variables of a scheduler choose a part of it", async () => {
  const cwd = await makeBatch([]);
  const run = (env: Record<string, string>, ...options: string[]) =>
    runCodemode(["run", "sum.js", "--inputs", "-", ...options], { cwd, env, stdin: '{"a":1}\n{"a":2}\n{"a":3}\n{"a"' });
  const finished = await run({ CI_NODE_INDEX: "2", CI_NODE_TOTAL: "2" });
  expect(finished).toMatchObject({ code: 2, stdout: '{"line":2,"ok":true,"result":"The sum of 2 and 1 is 3."}\n' });
  expect(finished.stderr).toMatch(/^Shard 2 of 2, as CI_NODE_INDEX says\.\n[^]*standard input:4 is not valid JSON/);
  expect(await run({ JOB_COMPLETION_INDEX: "0" })).toMatchObject({ code: 2, stdout: "" });
});

testOnPosix("modes of files")("what failed is said at the end, and the next run does that alone", async () => {
  const cwd = await makeBatch([{ a: 1 }, { a: 13 }, { b: 1 }, { a: 4 }]);
  const first = await typeCommand(["run", "sum.js", "--inputs", "inputs.jsonl"], { cwd });
  expect(first.code).toBe(1);
  expect(parseLines(first.stdout)).toMatchObject([
    { line: 1, ok: true },
    { line: 2, ok: false, diagnostics: [{ code: "UNCAUGHT_EXCEPTION" }] },
    { line: 3, ok: false, diagnostics: [{ code: "INPUT_MISMATCH" }] },
    { line: 4, ok: true },
  ]);
  expect(first.stderr).toContain("2 of 4 inputs failed: lines 2, 3.");
  expect((await stat(join(cwd, "inputs.jsonl.sum.js.journal"))).mode & 0o777).toBe(0o600);

  await writeFile(join(cwd, "inputs.jsonl"), '{"a":1}\n{"a":2}\n{"a":3}\n{"a":4}\n');
  const second = await typeCommand(["run", "sum.js", "--inputs", "inputs.jsonl"], { cwd });
  expect(second.code).toBe(0);
  expect(parseLines(second.stdout).map(({ ok }) => ok)).toEqual([true, true, true, true]);
  expect([...second.stderr.matchAll(/did \d/g)].map(([log]) => log).toSorted()).toEqual(["did 2", "did 3"]);
});

test("a batch that was killed goes on where it was", async () => {
  const cwd = await makeBatch(Array.from({ length: 8 }, (_, index) => ({ a: index, wait: index < 4 ? 0 : 2000 })));
  const args = ["run", "sum.js", "--inputs", "inputs.jsonl", "--concurrency", "2"];
  const child = spawn(process.execPath, [resolve("dist/cli/main.js"), ...args], { cwd, stdio: "ignore" });
  const journal = join(cwd, "inputs.jsonl.sum.js.journal");
  const doneLines = async (): Promise<number> =>
    existsSync(journal) ? (await readFile(journal, "utf8")).split("\n").length - 2 : 0;
  while ((await doneLines()) < 4) await delay(20);
  child.kill("SIGKILL");
  await once(child, "close");
  // A crash can cut a line in its middle.
  await writeFile(journal, (await readFile(journal, "utf8")) + '{"input":"sha');

  const finished = await typeCommand(args, { cwd });
  expect(finished.code).toBe(0);
  expect(parseLines(finished.stdout).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const run = [...finished.stderr.matchAll(/did \d/g)].map(([log]) => log).toSorted();
  expect(run).toEqual(["did 4", "did 5", "did 6", "did 7"]);
});

test("a repaired script keeps what was done where that is wanted, and other limits keep it unasked", async () => {
  const cwd = await makeBatch([{ a: 1 }, { a: 13 }]);
  const run = (...more: string[]) => typeCommand(["run", "sum.js", "--inputs", "inputs.jsonl", ...more], { cwd });
  await run();
  const limited = await run("--timeout", "20001");
  expect([...limited.stderr.matchAll(/did \d+/g)]).toEqual([]);
  await writeFile(join(cwd, "sum.js"), SCRIPT.replace("b: 1", "b: 2").replace("=== 13", "=== 99"));
  const refused = await run();
  expect(refused).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("of another version of the script. Nothing was run."),
  });
  const finished = await run("--continue");
  expect(finished.code).toBe(0);
  expect(parseLines(finished.stdout).map(({ result }) => result)).toEqual([
    ...["The sum of 1 and 1 is 2.", "The sum of 13 and 2 is 15."],
  ]);
});

test.each([
  ["a line that is no JSON", '{"a":1}\n\n{"a":\n', ["--inputs", "inputs.jsonl"], /inputs\.jsonl:3 is not valid JSON/],
  ["a file that is not there", "", ["--inputs", "none.jsonl"], /none\.jsonl/],
  ["a concurrency of nothing", "", ["--inputs", "inputs.jsonl", "--concurrency", "0"], /--concurrency/],
])("%s is refused before anything runs", async (_, text, options, line) => {
  const cwd = await makeProject({ ...FILES, "inputs.jsonl": text });
  const finished = await typeCommand(["run", "sum.js", ...options], { cwd });
  expect(finished).toMatchObject({ code: 2, stdout: "" });
  expect(finished.stderr).toMatch(line);
  expect(existsSync(join(cwd, "codemode.lock.json"))).toBe(false);
});
