import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ChaosReport, runChaos } from "./durable-chaos.ts";
import { startPostgresServer } from "./start-postgres.ts";

/** `RUNS=1000 npm run test:durable` for the full size. */
const RUNS = Number(process.env["RUNS"] ?? 1000);
const SOUND = { wrong: [], twice: [], lost: [], against: [] };

test("runs on four replicas with PostgreSQL survive kills, stops, a rolling restart and a restart of the database", async () => {
  const postgres = await startPostgresServer();
  let isRestarted = false;
  const restartOnce = async (): Promise<void> => {
    if (!isRestarted) await postgres.restart();
    isRestarted = true;
  };
  const report = await runChaos({
    ...{ runs: RUNS, replicas: 4, atOnce: 4, serve: { store: postgres.url, storeKey: "k".repeat(32) } },
    // Stopped for longer than the others wait for a sign of life.
    ...{ suspendAfterMs: 300, everyMs: 2000, stopMs: 15_000 },
    events: [
      "kill",
      "stop",
      "kill",
      "stop",
      "kill",
      "restart",
      "stop",
      restartOnce,
      "restart",
      "kill",
      "restart",
      "restart",
    ],
  });
  print("PostgreSQL, 4 replicas", RUNS, report);
  expect(report).toMatchObject({ right: RUNS, ...SOUND });
});

test("two projects of one database keep to their persons' words, under kills, stops, cancellations and clocks that are set", async () => {
  const postgres = await startPostgresServer();
  const runs = Math.ceil(RUNS / 2);
  const chaos = {
    ...{ runs, replicas: 3, atOnce: 8, serve: { store: postgres.url, storeKey: "k".repeat(32) } },
    ...{ suspendAfterMs: 300, everyMs: 2000, stopMs: 15_000 },
    events: ["kill", "cancel", "clock", "stop", "cancel", "kill", "clock", "cancel", "restart"] as const,
  };
  const reports = await Promise.all(["a", "b"].map((words) => runChaos({ ...chaos, words })));
  for (const report of reports) {
    print("PostgreSQL, one of two projects", runs, report);
    expect(report).toMatchObject({ right: runs, ...SOUND });
    expect(Math.min(report.kills, report.cancels, report.clocks)).toBeGreaterThan(0);
  }
});

test("runs in files survive a process that is killed every second", async () => {
  const state = await mkdtemp(join(tmpdir(), "codemode-state-"));
  onTestFinished(() => rm(state, { recursive: true, force: true, maxRetries: 5 }));
  const runs = Math.ceil(RUNS / 5);
  const report = await runChaos({
    ...{ runs, replicas: 1, atOnce: 8, serve: {}, env: { XDG_STATE_HOME: state } },
    // A process needs a moment to start: it is killed a second after that.
    ...{ suspendAfterMs: 300, everyMs: 1000, events: ["kill"], stopMs: 0 },
  });
  print("files, 1 process", runs, report);
  expect(report).toMatchObject({ right: runs, ...SOUND });
});

function print(
  way: string,
  runs: number,
  { right, asked, kills, stops, cancels, clocks, seconds, twice, lost, wrong, against }: ChaosReport,
): void {
  const cells = [way, runs, right, wrong.length, twice.length, lost.length, against.length, asked, kills, stops];
  cells.push(cancels, clocks, seconds);
  process.stdout.write(`\n| ${cells.join(" | ")} |\n${wrong.map((each) => `${JSON.stringify(each)}\n`).join("")}`);
}
