import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { runCodemode } from "../e2e/run-codemode.ts";
import { INPUTS, makeLedgerProject, readCalls, readKeys } from "./ledger-project.ts";
import { meterProcessors } from "./meter-processors.ts";
import { addRow } from "./scale-table.ts";
import { startPostgres } from "./start-postgres.ts";

const PROCESSES = 4;
const KILL_EVERY_MS = 5_000;
/** Small batches are over before the second. */
const FIRST_KILL_MS = 200;

const resultsOf = (stdout: string): string[] => stdout.split("\n").filter(Boolean);
const EXPECTED = Array.from({ length: INPUTS }, (_, index) =>
  JSON.stringify({ line: index + 1, ok: true, result: `added ${index + 1}` }),
);

test("one process", async () => {
  const cwd = await makeLedgerProject();
  const startedAt = performance.now();
  const endMeter = meterProcessors();
  const finished = await runCodemode(["run", "job.json", "--inputs", "inputs.jsonl"], { cwd });
  const seconds = (performance.now() - startedAt) / 1000;
  const measured = { inputs: INPUTS, seconds, processor: endMeter() };
  expect(finished.code).toBe(0);
  expect(resultsOf(finished.stdout)).toEqual(EXPECTED);
  const calls = await readCalls(cwd);
  addRow({ way: "one process", ...measured, kills: 0, callsMore: calls.length - INPUTS });
  expect(new Set(calls).size).toBe(INPUTS);
  expect(calls).toHaveLength(INPUTS);
});

test("processes that share a store, one of them killed every few seconds, lose no input", async () => {
  const cwd = await makeLedgerProject({ store: await startPostgres(), storeKey: "k".repeat(32) });
  const args = ["run", "job.json", "--batch", "orders"];
  let isOver = false;
  const running = new Set<ChildProcess>();
  onTestFinished(() => {
    isOver = true;
    for (const child of running) child.kill("SIGKILL");
  });
  const startedAt = performance.now();
  const endMeter = meterProcessors();
  /** Starts a process, and another one in the place of one that was killed. */
  const keepRunning = async (more: readonly string[] = []): Promise<void> => {
    for (;;) {
      const child = spawn(process.execPath, [resolve("dist/cli/main.js"), ...args, ...more], {
        cwd,
        stdio: ["ignore", "ignore", "pipe"],
      });
      let errors = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (errors = (errors + text).slice(-2000)));
      running.add(child);
      const [code, signal] = (await once(child, "close")) as [number | null, string | null];
      running.delete(child);
      if (signal === "SIGKILL" && !isOver) continue;
      expect(`${code} ${errors}`).toMatch(/^0 /);
      return;
    }
  };
  const kill = async (): Promise<number> => {
    for (let kills = 0; ; kills += 1) {
      // sleeps: the load is measured between two kills
      await delay(kills === 0 ? FIRST_KILL_MS : KILL_EVERY_MS);
      if (isOver) return kills;
      [...running][kills % running.size]?.kill("SIGKILL");
    }
  };
  const first = keepRunning(["--inputs", "inputs.jsonl"]);
  // sleeps: the others find the batch once it is there
  await delay(3_000);
  const killing = kill();
  await Promise.all([first, ...Array.from({ length: PROCESSES - 1 }, () => keepRunning())]);
  isOver = true;
  const seconds = (performance.now() - startedAt) / 1000;
  const measured = { inputs: INPUTS, seconds, processor: endMeter() };
  const calls = await readCalls(cwd);
  const way = `${PROCESSES} processes over PostgreSQL`;
  addRow({ way, ...measured, kills: await killing, callsMore: calls.length - INPUTS });
  expect(new Set(calls).size).toBe(INPUTS);
  expect(new Set(await readKeys(cwd)).size).toBe(INPUTS);

  const printed = await runCodemode([...args, "--results"], { cwd });
  expect(printed.code).toBe(0);
  expect(resultsOf(printed.stdout)).toEqual(EXPECTED);

  await writeFile(join(cwd, "others.jsonl"), '{"a":1}\n');
  const other = await runCodemode([...args, "--inputs", "others.jsonl"], { cwd });
  expect(other).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/The batch "orders" in \S+ has other inputs/),
  });
  const unknown = await runCodemode(["run", "job.json", "--results", "--batch", "none"], { cwd });
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no batch "none"') });
});
