import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { findNode } from "../node-versions/find-node.ts";
import { installPackages } from "../sets/install-packages.ts";
import { INPUTS, makeLedgerProject, readCalls, readKeys } from "./ledger-project.ts";
import { meterProcessors } from "./meter-processors.ts";
import { endServer, startOnFreePort } from "./ports.ts";
import { addRow } from "./scale-table.ts";
import { startPostgres } from "./start-postgres.ts";
import { startRedis } from "./start-redis.ts";

const WORKERS = 3;
const KILL_EVERY_MS = 8_000;
/** For the queues that are tried, and not measured. */
const JOBS = Math.min(INPUTS, 500);
const EXAMPLES = resolve("examples/workers");

/** Makes the examples importable from a project, as if its package had installed them. */
async function installExamples(cwd: string): Promise<void> {
  await promisify(execFile)("npm", [
    "install",
    "--no-save",
    "--ignore-scripts",
    "--engine-strict=false",
    "--prefix",
    EXAMPLES,
  ]);
  await mkdir(join(cwd, "node_modules"), { recursive: true });
  await symlink(resolve("."), join(cwd, "node_modules/codemode"));
  for (const name of await readdir(join(EXAMPLES, "node_modules"))) {
    if (!name.startsWith(".")) await symlink(join(EXAMPLES, "node_modules", name), join(cwd, "node_modules", name));
  }
  for (const name of await readdir(EXAMPLES)) {
    if (name.endsWith(".js")) await copyFile(join(EXAMPLES, name), join(cwd, name));
  }
  const compilerOptions = {
    ...{ module: "nodenext", target: "es2022", strict: true, noEmit: true, skipLibCheck: true, preserveSymlinks: true },
    ...{ allowJs: true, checkJs: true },
    ...{ types: ["node"], typeRoots: [resolve("node_modules/@types")] },
  };
  await writeFile(join(cwd, "package.json"), '{ "type": "module" }');
  await writeFile(
    join(cwd, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["bullmq.js", "pg-boss.js", "jetstream.js"] }),
  );
}

interface QueueLike {
  addBulk(jobs: unknown[]): Promise<unknown>;
  getJobCounts(...states: string[]): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** A project with the examples, whose types are right. */
async function makeWorkerProject(): Promise<string> {
  const cwd = await makeLedgerProject();
  await installExamples(cwd);
  await promisify(execFile)(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", cwd]);
  return cwd;
}

/** Workers of one kind. One that is killed is followed by another. */
function startWorkers(cwd: string, node: string, file: string, env: Record<string, string>) {
  const running = new Set<ChildProcess>();
  let isOver = false;
  let kills = 0;
  const keepRunning = async (): Promise<void> => {
    while (!isOver) {
      const child = spawn(node, [file], {
        cwd,
        env: { ...process.env, ...env },
        stdio: ["ignore", "inherit", "inherit"],
      });
      running.add(child);
      await once(child, "close");
      running.delete(child);
    }
  };
  const workers = Array.from({ length: WORKERS }, keepRunning);
  const stop = async (signal: NodeJS.Signals): Promise<number> => {
    isOver = true;
    for (const child of running) child.kill(signal);
    await Promise.all(workers);
    return kills;
  };
  onTestFinished(() => void stop("SIGKILL"));
  const kill = (): void => void [...running][kills++ % running.size]?.kill("SIGKILL");
  return { kill, stop: () => stop("SIGTERM") };
}

test("workers of a BullMQ queue, one of them killed every few seconds, lose no job", async () => {
  const [cwd, url] = [await makeWorkerProject(), await startRedis()];
  const { Queue } = createRequire(join(cwd, "job.js"))("bullmq") as {
    Queue: new (name: string, options: object) => QueueLike;
  };
  const queue = new Queue("codemode", { connection: { url } });
  onTestFinished(() => queue.close());
  const opts = { attempts: 8, backoff: { type: "exponential", delay: 500 } };
  const jobs = Array.from({ length: INPUTS }, (_, index) => ({ name: "run", data: { a: index + 1 }, opts }));
  for (let from = 0; from < INPUTS; from += 5000) await queue.addBulk(jobs.slice(from, from + 5000));

  const endMeter = meterProcessors();
  const startedAt = performance.now();
  const { kill, stop } = startWorkers(cwd, process.execPath, "bullmq.js", { REDIS_URL: url });
  /** The first one is killed as soon as some jobs are done: small queues are over before the second. */
  let killedAt = 0;
  for (;;) {
    const { completed = 0, failed = 0 } = await queue.getJobCounts("completed", "failed");
    if (completed + failed >= INPUTS) break;
    // sleeps: between two looks at a queue
    await delay(500);
    if (completed === 0 || Date.now() - killedAt < KILL_EVERY_MS) continue;
    killedAt = Date.now();
    kill();
  }
  const measured = { inputs: INPUTS, seconds: (performance.now() - startedAt) / 1000, processor: endMeter() };
  const calls = await readCalls(cwd);
  const way = `${WORKERS} BullMQ workers`;
  addRow({ way, ...measured, kills: await stop(), callsMore: calls.length - INPUTS });
  expect(await queue.getJobCounts("completed", "failed")).toEqual({ completed: INPUTS, failed: 0 });
  expect(new Set(calls).size).toBe(INPUTS);
  expect(new Set(await readKeys(cwd)).size).toBe(INPUTS);
});

/** Starts a NATS server that keeps its streams in a folder of its own, which ends with the test; gives its address. */
async function startNats(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-nats-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const words = ["-js", "-sd", folder, "-a", "127.0.0.1"];
  const { port, server } = await startOnFreePort((free) =>
    spawn("nats-server", [...words, "-p", String(free)], { stdio: "ignore" }),
  );
  onTestFinished(() => endServer(server, "SIGKILL"));
  return `127.0.0.1:${port}`;
}

test.each([
  { name: "pg-boss", variable: "DATABASE_URL", start: startPostgres, node: () => process.execPath },
  { name: "jetstream", variable: "NATS_URL", start: startNats, node: () => findNode("22") },
])("workers of $name run each job once", async ({ name, variable, start, ...worker }) => {
  await installPackages(resolve("test/node-versions"));
  const [cwd, url] = [await makeWorkerProject(), await start()];
  const node = worker.node();
  await copyFile(`test/scale/fill-${name}.mjs`, join(cwd, "fill.mjs"));
  const endMeter = meterProcessors();
  const startedAt = performance.now();
  const filling = promisify(execFile)(node, ["fill.mjs", String(JOBS)], {
    cwd,
    env: { ...process.env, [variable]: url },
  });
  // sleeps: the queue is there before its workers
  await delay(3_000);
  const { stop } = startWorkers(cwd, node, `${name}.js`, { [variable]: url });
  await filling;
  const seconds = (performance.now() - startedAt) / 1000;
  const processor = endMeter();
  const calls = await readCalls(cwd);
  const kills = await stop();
  addRow({
    way: `${WORKERS} ${name} workers`,
    inputs: JOBS,
    seconds,
    processor,
    kills,
    callsMore: calls.length - JOBS,
  });
  expect(calls.toSorted((left, right) => left - right)).toEqual(Array.from({ length: JOBS }, (_, index) => index + 1));
  expect(new Set(await readKeys(cwd)).size).toBe(JOBS);
});
