import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeProject, runCodemode } from "../e2e/run-codemode.ts";
import { type HttpServing, serveOverHttp } from "../e2e/serve-over-http.ts";
import { findFreePort } from "./ports.ts";
import { CONNECT_MS, keepRunning, makeTally, type Tally } from "./replica-clients.ts";
import { startHaproxy } from "./start-haproxy.ts";
import { startPostgres } from "./start-postgres.ts";

const env = process.env;
const CLIENTS = Number(env["CLIENTS"] ?? 200);
/** Between two runs of a client, on average. A machine of two cores keeps up with 200 clients at each level. */
const THINK_MS = { process: 30_000, realm: 15_000, compartment: 8000 };
const SPEED = Number(env["SPEED"] ?? 1);
/** Before the kill, and between the other steps. */
const STEP_MS = 1000 * Number(env["SECONDS_EACH"] ?? 8);
const LEVELS = (env["ISOLATION"] ?? "process,realm,compartment").split(",") as (keyof typeof THINK_MS)[];
const REPLICAS = 4;
const MAX_RUNNING = 4;
const KEYS = { STORE_KEY: "s".repeat(32) };

test.each(LEVELS)("%s: clients of four replicas, one killed and all restarted", async (isolation) => {
  const store = await startPostgres();
  const cwd = await makeReplicaProject(store, isolation);
  const ports: number[] = [];
  while (ports.length < REPLICAS) ports.push(await findFreePort());
  const start = (port: number): Promise<HttpServing> => serveOverHttp(cwd, KEYS, ["--frozen"], port);
  const replicas = await Promise.all(ports.map(start));
  const url = await startHaproxy(ports);

  const tally = makeTally();
  let [phase, isOver] = ["calm", false];
  const options = { url, tally, thinkMs: THINK_MS[isolation] / SPEED, phase: () => phase, isOver: () => isOver };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, index) => keepRunning(index, options)));
  await delay(CONNECT_MS + STEP_MS);
  phase = "killed";
  replicas[0]?.child.kill("SIGKILL");
  await delay(STEP_MS);
  replicas[0] = await start(ports[0] as number);
  await delay(STEP_MS);
  phase = "rolling";
  for (const [index, port] of ports.entries()) {
    replicas[index]?.child.kill("SIGTERM");
    expect(await replicas[index]?.ended).toBe(0);
    replicas[index] = await start(port);
    // sleeps: the load is measured between two restarts
    await delay(2000);
  }
  phase = "after";
  await delay(STEP_MS);
  isOver = true;
  await clients;

  const calls = await countCalls(cwd);
  report(isolation, tally, calls);
  expect(tally.wrong).toEqual([]);
  // The replica that goes on with a run makes a call again that was under way: as many as ran on the one that was killed.
  expect([...calls].filter(([, times]) => times > 1).length).toBeLessThanOrEqual(MAX_RUNNING);
  expect(tally.answered.filter((key) => !calls.has(key))).toEqual([]);
  expect(tally.lost).toEqual([]);
  expect(tally.silenceMs).toBeLessThan(5000);
  // What was sent again has its answer, and without that at most one in a thousand of a rollout fails.
  expect(tally.given).toEqual([]);
  expect([tally.failed.get("calm") ?? [], tally.failed.get("after") ?? []]).toEqual([[], []]);
  expect(tally.failed.get("rolling")?.length ?? 0).toBeLessThanOrEqual((tally.begun.get("rolling") ?? 0) / 1000);
});

async function makeReplicaProject(store: string, isolation: string): Promise<string> {
  const meta = { command: process.execPath, args: [resolve("test/servers/meta-server.mjs"), "calls.jsonl", "repeats"] };
  const shared = { store, storeKey: "${STORE_KEY}" };
  const queue = { maxRunning: MAX_RUNNING, maxWaiting: 256 };
  const config = {
    mcpServers: { meta },
    policy: { allow: ["*"] },
    sandbox: { isolation },
    serve: { ...shared, queue, detachAfterMs: 4000, drainMs: 3000 },
  };
  const cwd = await makeProject({ "codemode.config.json": config });
  expect(await runCodemode(["lock"], { cwd })).toMatchObject({ code: 0 });
  expect(await runCodemode(["generate"], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

/** How often the tool was called, by the key of the run. */
async function countCalls(cwd: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const line of (await readFile(join(cwd, "calls.jsonl"), "utf8")).split("\n").filter(Boolean)) {
    const key = (JSON.parse(line) as Record<string, string>)["dev.codemode/run-key"] ?? "";
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function report(isolation: string, tally: Tally, calls: Map<string, number>): void {
  const { answered, lost, wrong, given, silenceMs } = tally;
  const sorted = tally.latencies.toSorted((left, right) => left - right);
  const at = (share: number): string => ((sorted[Math.floor(sorted.length * share)] ?? 0) / 1000).toFixed(1);
  const failed = ["calm", "killed", "rolling", "after"].map(
    (phase) => `${phase} ${tally.failed.get(phase)?.length ?? 0} of ${tally.begun.get(phase) ?? 0}`,
  );
  const twice = [...calls.values()].filter((times) => times > 1).length;
  process.stdout.write(
    `${isolation}: ${CLIENTS} clients, ${answered.length} right answers, ${wrong.length} wrong, ${twice} executed twice, ` +
      `${lost.length} lost; p50 ${at(0.5)} s, p95 ${at(0.95)} s; ` +
      `silence at most ${(silenceMs / 1000).toFixed(1)} s; failed at first: ${failed.join(", ")}; in the end ${given.length}\n`,
  );
  for (const [phase, texts] of tally.failed)
    process.stdout.write(`  ${phase}: ${[...new Set(texts)].join(" | ").slice(0, 600)}\n`);
}
