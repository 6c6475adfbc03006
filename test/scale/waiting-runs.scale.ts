import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { durableFolder, makeSealer } from "../../engine/store-plan.ts";
import { makeDurableRuns } from "../../extras/durable/durable-runs.ts";
import type { DurableStore } from "../../extras/durable/kept-runs.ts";
import { openFileStore } from "../../extras/durable/stores/file-store.ts";
import { openPostgresStore } from "../../extras/durable/stores/postgres-store.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { failedAnswer } from "../../schemas/run/answer.ts";
import type { Step } from "../../schemas/run/durable-run.ts";
import { aRun } from "../extras/durable/a-run.ts";
import { startPostgresServer } from "./start-postgres.ts";

/** `RUNS=10000 npx vitest run --config vitest.scale.config.ts waiting-runs` */
const RUNS = Number(process.env["RUNS"] ?? 10_000);
const IDLE_MS = 20_000;
const YEAR_MS = 365 * 24 * 3_600_000;

/** As large as the journal of a run of some calls, which waits for a year. */
function stepsOf(last: Step): Step[] {
  const text = "x".repeat(4000);
  const calls = [1, 2, 3, 4].flatMap((call): Step[] => [
    { kind: "call", call, serverId: "ledger", toolName: "book", inputJson: JSON.stringify({ text }), timeMs: 0 },
    { kind: "sent", call, input: { text } },
    { kind: "reply", call, timeMs: call, replyJson: "{}", durationMs: 1 },
  ]);
  return [...calls, last];
}

async function fill(store: DurableStore, runs: number): Promise<void> {
  const add = async (at: number): Promise<void> => {
    const owned = await store.create({ ...aRun(), pinned: "b".repeat(16_000), begunAt: Date.now() });
    if (owned === "held") throw new Error("held");
    const isOver = at % 10 === 0;
    const now = Date.now();
    const last: Step = isOver
      ? { kind: "ended", at: now - YEAR_MS, answer: failedAnswer([]), ending: "result" }
      : { kind: "suspended", usedMs: 1, at: now, wakeAt: now + YEAR_MS };
    await owned.append(stepsOf(last));
    await owned.release(isOver ? "over" : undefined);
  };
  // A tenth more have ended a year ago.
  const all = Math.ceil(runs * 1.1);
  for (let at = 0; at < all; at += 16)
    await Promise.all(Array.from({ length: Math.min(16, all - at) }, (_, next) => add(at + next)));
}

interface Cost {
  wallMs: number;
  cpuMs: number;
}

async function measure(work: () => Promise<unknown>): Promise<Cost> {
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: Math.round(performance.now() - begun), cpuMs: Math.round((user + system) / 1000) };
}

/** Gives what a process reports that watches. */
async function measureAll(way: string, open: () => Promise<DurableStore>): Promise<unknown[]> {
  await fill(await open(), RUNS);
  const store = await open();
  const runs = makeDurableRuns({ store, run: () => Promise.reject(new Error("nothing runs here")) });
  const lists = [];
  for (let at = 0; at < 3; at += 1) lists.push(await measure(() => runs.list()));
  const pruned = await measure(async () => expect(await runs.prune(Date.now())).toBeGreaterThan(0));
  const request = {
    access: ownAccess({ allow: ["*"], ask: [], deny: [] }),
    approve: async () => "unavailable" as const,
  };
  const failures: unknown[] = [];
  const first = await measure(async () => {
    runs.watch(
      () => request,
      (error) => failures.push(error),
    );
    // sleeps: the load of a process that waits is what is measured
    await delay(5000);
  });
  const idle = await measure(() => delay(IDLE_MS));
  await runs.close();
  const cells = [way, RUNS, ...lists.map(({ wallMs, cpuMs }) => `${wallMs} (${cpuMs})`)];
  cells.push(`${pruned.wallMs} (${pruned.cpuMs})`, `${first.cpuMs}`, `${((100 * idle.cpuMs) / IDLE_MS).toFixed(2)} %`);
  process.stdout.write(`\n| ${cells.join(" | ")} |\n`);
  return failures;
}

test("runs that wait in files are listed, watched and pruned, also by the command", async () => {
  const base = await mkdtemp(join(tmpdir(), "codemode-waiting-"));
  onTestFinished(() => rm(base, { recursive: true, force: true, maxRetries: 5 }));
  await writeFile(join(base, "codemode.config.json"), JSON.stringify({ mcpServers: {} }));
  const env = { ...process.env, XDG_STATE_HOME: join(base, "state") };
  const folder = durableFolder({ folder: base } as Parameters<typeof durableFolder>[0], env);
  expect(await measureAll("files", () => openFileStore(folder, undefined))).toEqual([]);
  const command = () =>
    promisify(execFile)(process.execPath, [resolve("dist/cli/main.js"), "runs"], { cwd: base, env, maxBuffer: 1e9 });
  const times = [];
  for (let at = 0; at < 3; at += 1) {
    const begun = performance.now();
    const { stdout } = await command();
    times.push(Math.round(performance.now() - begun));
    expect(stdout.trim().split("\n").length).toBeGreaterThanOrEqual(RUNS * 0.9);
  }
  process.stdout.write(`\n| codemode runs, ms | ${times.join(" | ")} |\n`);
  expect((await readdir(join(folder, "heads"))).length).toBeGreaterThanOrEqual(RUNS * 0.9);
});

test("runs that wait in encrypted files are listed, watched and pruned", async () => {
  const folder = await mkdtemp(join(tmpdir(), "codemode-waiting-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  expect(await measureAll("encrypted files", () => openFileStore(folder, makeSealer("k".repeat(32))))).toEqual([]);
});

test("runs that wait in PostgreSQL are listed, watched and pruned", async () => {
  const { url } = await startPostgresServer();
  expect(
    await measureAll("PostgreSQL", () =>
      openPostgresStore({ url, place: "the store", sealer: makeSealer("k".repeat(32)) }),
    ),
  ).toEqual([]);
});
