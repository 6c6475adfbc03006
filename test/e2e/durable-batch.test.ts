import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openProject } from "codemode";
import { expect, test } from "vitest";
import { startPglite } from "../extras/stores/start-pglite.ts";
import { parseLines } from "./batch-results.ts";
import { typeCommand } from "./open-commands.ts";
import { runCodemode, STAND_INS } from "./run-codemode.ts";
import { shareProject } from "./share-project.ts";

const SCRIPT = `import { echo, get_sum } from "@codemode/servers/everything";
const a = globalThis.__codemode_input__ as number;
if (a === 13) throw new Error("unlucky");
const call = a < 10 ? echo({ message: String(a) }) : get_sum({ a, b: 1 });
export default await call.catch((error) => error.name);
`;
const CONFIG = {
  mcpServers: { everything: STAND_INS.everything },
  policy: { askEach: ["everything/get-sum"] },
};
const makeBatchProject = shareProject({ "codemode.config.json": CONFIG, "sum.ts": SCRIPT });

async function makeBatch(...inputs: number[]) {
  const cwd = await makeBatchProject({ "inputs.jsonl": inputs.map((input) => `${input}\n`).join("") });
  const env = { XDG_STATE_HOME: join(cwd, "state") };
  const type = (...words: string[]) => typeCommand(words, { cwd, env });
  return {
    ...{ cwd, env, type },
    journal: join(cwd, "inputs.jsonl.sum.ts.journal"),
    run: (...more: string[]) =>
      runCodemode(["run", "sum.ts", "--inputs", "inputs.jsonl", "--durable", ...more], { cwd, env }),
    /** The state of each run that is kept. */
    async kept(): Promise<string[]> {
      const runs = JSON.parse((await type("runs", "--json")).stdout) as { state: string }[];
      return runs.map(({ state }) => state);
    },
    /** Of all durable runs. */
    files: () => readdir(join(cwd, "state/codemode/runs"), { recursive: true }),
  };
}

test("a durable batch keeps no run whose result is in the journal, which prints the results so far in the order of the inputs, and runs nothing", async () => {
  const { env, cwd, type, run, kept, journal, files } = await makeBatch(1, 2, 13, 4);
  const results = (...more: string[]) => type("run", "sum.ts", "--results", ...more);
  expect(await results("--inputs", "inputs.jsonl")).toMatchObject({ code: 2, stdout: "" });
  const first = await run("--concurrency", "3");
  expect(parseLines(first.stdout).map(({ ok }) => ok)).toEqual([true, true, false, true]);
  expect([first.code, await kept()]).toEqual([1, []]);
  const printed = { code: 1, stdout: first.stdout, stderr: "4 inputs are done. 1 of them failed.\n" };
  expect(await results("--inputs", "inputs.jsonl")).toMatchObject(printed);
  expect(await results("--journal", "inputs.jsonl.sum.ts.journal")).toMatchObject({ stdout: first.stdout });
  expect(await results("--journal", "sum.ts")).toMatchObject({ code: 2, stderr: expect.stringContaining("sum.ts") });
  expect(await results()).toMatchObject({ code: 2, stderr: expect.stringContaining("--journal") });
  const [header = ""] = (await readFile(journal, "utf8")).split("\n");
  const { batch } = JSON.parse(header) as { batch: string };
  const before = (await files()).length;
  // Its process ended between the line of the journal and the end of the run's files: the next one removes them. Line 3 has failed there.
  const engine = await (await openProject({ cwd, env: { ...process.env, ...env } })).openEngine();
  for (const line of [1, 3])
    await engine.run({ code: "export default 1" }, { durable: true, key: `${batch}/${line}/x` });
  await engine.run({ code: "export default 1" }, { durable: true, key: "mine" });
  await engine.close();
  expect((await run()).code).toBe(1);
  expect(await kept()).toEqual(["ended", "ended"]);
  expect((await files()).length).toBeGreaterThan(before);
});

test("a durable batch in a store keeps no run whose result is there, and leaves the ones that wait for a person", async () => {
  const { cwd, type, run, kept } = await makeBatch(1, 20, 3);
  const serve = { store: await startPglite(), storeKey: "k".repeat(32) };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ ...CONFIG, serve }));
  const first = await run("--wait", "0", "--batch", "one");
  expect(first).toMatchObject({ code: 4, stdout: "" });
  expect(first.stderr).toContain("1 run waits for a person: codemode approvals lists what is asked.");
  expect(await kept()).toEqual(["waiting"]);
  const [{ id }] = JSON.parse((await type("approvals", "--json")).stdout) as [{ id: string }];
  await type("approvals", id, "--refuse");
  expect(await run("--wait", "5000", "--batch", "one")).toMatchObject({ code: 0 });
  const { stdout } = await type("run", "sum.ts", "--results", "--batch", "one");
  expect(parseLines(stdout).map(({ result }) => result)).toEqual(["Echo: 1", "ApprovalRefusedError", "Echo: 3"]);
  expect(await kept()).toEqual([]);
});

test("a batch waits so long for a person, says so with exit code 4, and goes on with the same runs", async () => {
  const { type, run, kept, journal } = await makeBatch(1, 20, 30);
  const first = await run("--wait", "0");
  expect(parseLines(first.stdout)).toMatchObject([
    { line: 1, ok: true, result: "Echo: 1" },
    { line: 2, ok: false, diagnostics: [{ code: "APPROVAL_REQUIRED" }] },
    { line: 3, ok: false, diagnostics: [{ code: "APPROVAL_REQUIRED" }] },
  ]);
  expect(first.code).toBe(4);
  expect(first.stderr).toContain("2 runs wait for a person: codemode approvals lists what is asked.");
  expect(await kept()).toEqual(["waiting", "waiting"]);
  const questions = JSON.parse((await type("approvals", "--json")).stdout) as { id: string }[];
  expect(questions).toHaveLength(2);
  for (const { id } of questions) expect(first.stderr).toContain(`codemode approvals ${id} --approve`);
  for (const { id } of questions) expect(await type("approvals", id, "--refuse")).toMatchObject({ code: 0 });
  const second = await run("--wait", "5000");
  expect(parseLines(second.stdout).map(({ result }) => result)).toEqual([
    ...["Echo: 1", "ApprovalRefusedError", "ApprovalRefusedError"],
  ]);
  expect([second.code, await kept()]).toEqual([0, []]);
  await expect(readFile(journal)).rejects.toMatchObject({ code: "ENOENT" });
});
