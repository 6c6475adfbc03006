import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runChaos } from "../../scale/durable-chaos.ts";
import { countCases } from "../../sets/count-cases.ts";
import { startPglite } from "../stores/start-pglite.ts";

const RUNS = countCases(6, 3);
const KILLS = countCases(6, 3);
const SOUND = { wrong: [], twice: [], lost: [], against: [] };

test("runs in files survive a process that is killed all the time: each call that must be made once is", async () => {
  const state = await mkdtemp(join(tmpdir(), "codemode-state-"));
  onTestFinished(() => rm(state, { recursive: true, force: true, maxRetries: 5 }));
  const report = await runChaos({
    ...{ runs: RUNS, replicas: 1, atOnce: 3, serve: {}, env: { XDG_STATE_HOME: state } },
    ...{ suspendAfterMs: 300, everyMs: 1500, mostKills: KILLS, events: ["kill"], stopMs: 0 },
  });
  expect(report).toMatchObject({ right: RUNS, ...SOUND });
  expect(report.kills).toBeGreaterThan(0);
}, 180_000);

test("runs in PostgreSQL survive replicas that are killed and restarted: another one goes on with them", async () => {
  const store = await startPglite();
  const report = await runChaos({
    ...{ runs: RUNS, replicas: 2, atOnce: 2, serve: { store, storeKey: "k".repeat(32) } },
    ...{ suspendAfterMs: 300, everyMs: 1500, mostKills: KILLS, events: ["kill", "restart"], stopMs: 0 },
  });
  expect(report).toMatchObject({ right: RUNS, ...SOUND });
  expect(report.kills).toBeGreaterThan(0);
}, 180_000);

test("two projects of one database keep to what their persons say, though processes are killed and runs are cancelled", async () => {
  const store = await startPglite();
  const chaos = {
    ...{ runs: 4, replicas: 1, atOnce: 4, serve: { store, storeKey: "k".repeat(32) } },
    ...{ suspendAfterMs: 300, everyMs: 700, mostKills: 3, events: ["cancel", "kill"] as const, stopMs: 0 },
  };
  const reports = await Promise.all(["a", "b"].map((words) => runChaos({ ...chaos, words })));
  for (const report of reports) expect(report).toMatchObject({ right: 4, ...SOUND });
}, 180_000);
