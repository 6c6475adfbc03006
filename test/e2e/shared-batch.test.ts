import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startPglite } from "../extras/stores/start-pglite.ts";
import { parseLines } from "./batch-results.ts";
import { typeCommand } from "./open-commands.ts";
import { runCodemode } from "./run-codemode.ts";
import { shareProject } from "./share-project.ts";

const SCRIPT = `import { add } from "@codemode/servers/ledger";
const { a, wait = 0 } = globalThis.__codemode_input__ as { a: number; wait?: number };
if (a === 13) throw new Error("unlucky");
await new Promise((resolve) => setTimeout(resolve, wait));
export default await add({ line: a });
`;
const args = [resolve("test/scale/ledger-server.mjs"), "${workspaceFolder}/ledger.txt"];
const CONFIG = { mcpServers: { ledger: { command: process.execPath, args } } };
const makeBatchProject = shareProject({ "codemode.config.json": CONFIG, "job.ts": SCRIPT });

async function makeBatch(inputs: readonly object[], { store }: { store?: string } = {}) {
  const cwd = await makeBatchProject({ "inputs.jsonl": inputs.map((input) => `${JSON.stringify(input)}\n`).join("") });
  const url = store ?? (await startPglite());
  const serve = { store: url, storeKey: "k".repeat(32) };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ ...CONFIG, serve }));
  const words = (...more: string[]) => ["run", "job.ts", "--batch", "orders", ...more];
  return {
    ...{ cwd, url, words },
    run: (...more: string[]) => runCodemode(words(...more), { cwd }),
    type: (...more: string[]) => typeCommand(words(...more), { cwd }),
    /** The number and the key of each call, in their order. */
    calls: async () => (await readFile(join(cwd, "ledger.txt"), "utf8")).split("\n").filter(Boolean),
  };
}

test("two processes run a batch, one of them is killed, and each line has one result", async () => {
  const inputs = Array.from({ length: 60 }, (_, index) => ({ a: index + 100, wait: index < 4 ? 4_000 : 20 }));
  const { cwd, url, words, run, type, calls } = await makeBatch(inputs);
  const cli = resolve("dist/cli/main.js");
  const first = spawn(process.execPath, [cli, ...words("--inputs", "inputs.jsonl")], { cwd, stdio: "ignore" });
  onTestFinished(() => void first.kill("SIGKILL"));
  const ended = once(first, "close");
  const database = new pg.Client(url);
  onTestFinished(() => database.end());
  await database.connect();
  const count = async (state: string): Promise<number> => {
    const counting = database.query("select from codemode_inputs where state = $1", [state]);
    return (await counting.catch(() => ({ rowCount: 0 }))).rowCount ?? 0;
  };
  await expect.poll(() => count("claimed"), { timeout: 30_000 }).toBe(8);
  const running = run();
  await expect.poll(() => count("done"), { timeout: 30_000 }).toBeGreaterThan(0);
  first.kill("SIGKILL");
  await ended;
  const second = await running;
  expect(second).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("All 60 inputs are done.") });
  const results = parseLines((await type("--results")).stdout);
  expect(results).toEqual(inputs.map(({ a }, index) => ({ line: index + 1, ok: true, result: `added ${a}` })));
  // A call that was made twice, because its process was killed, has the same key.
  const made = await calls();
  expect([new Set(made).size, made.length - 60]).toEqual([
    60,
    expect.toSatisfy((more: number) => more >= 0 && more <= 8),
  ]);
  // Ten seconds of it are the lease of the killed process.
}, 60_000);

test("a line whose run fails runs again with the same inputs; other inputs, and a batch that is not there, are refused", async () => {
  const { cwd, run, type, calls } = await makeBatch([{ a: 1 }, { a: 13 }, { a: 3 }]);
  expect(await type("--results")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no batch "orders"'),
  });
  const first = await run("--inputs", "inputs.jsonl");
  expect(first).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("1 of them failed") });
  const printed = await type("--results");
  expect([printed.code, parseLines(printed.stdout).map(({ ok }) => ok)]).toEqual([1, [true, false, true]]);
  await writeFile(join(cwd, "others.jsonl"), '{"a":1}\n{"a":2}\n');
  const other = await type("--inputs", "others.jsonl");
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('The batch "orders" in postgres://') });
  expect(await type("--inputs", "inputs.jsonl")).toMatchObject({ code: 1 });
  // Only the line that had failed ran again.
  expect(await calls()).toHaveLength(2);
});

test.each([
  ["--batch without a store", ["--batch", "x", "--inputs", "inputs.jsonl"], /--batch: .*"serve\.store"[^]*storeKey/],
  [
    "the address of a database",
    ["--journal", "postgres://h/d", "--inputs", "inputs.jsonl"],
    /--journal: .*--batch NAME/,
  ],
  ["a journal of a batch in a store", ["--batch", "x", "--journal", "j", "--inputs", "inputs.jsonl"], /--journal: /],
  ["a part of a batch in a store", ["--batch", "x", "--shard", "1/2", "--inputs", "inputs.jsonl"], /--shard: /],
  ["a dry run of a batch in a store", ["--batch", "x", "--dry-run", "--inputs", "inputs.jsonl"], /--batch: /],
])("%s is refused with one line and what to do", async (_, words, said) => {
  const cwd = await makeBatchProject({ "inputs.jsonl": "{}\n" });
  const refused = await typeCommand(["run", "job.ts", ...words], { cwd });
  expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(said) });
});
