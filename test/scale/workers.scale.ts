import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { INPUTS, makeLedgerProject, readCalls } from "./ledger-project.ts";
import { findFreePort, untilListening } from "./ports.ts";

const WORKERS = 3;
const KILL_EVERY_MS = 8_000;
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
    if (name.endsWith(".ts")) await copyFile(join(EXAMPLES, name), join(cwd, name));
  }
  const compilerOptions = {
    ...{ module: "nodenext", target: "es2022", strict: true, noEmit: true, skipLibCheck: true, preserveSymlinks: true },
    ...{ types: ["node"], typeRoots: [resolve("node_modules/@types")] },
  };
  await writeFile(join(cwd, "package.json"), '{ "type": "module" }');
  await writeFile(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
}

interface QueueLike {
  addBulk(jobs: unknown[]): Promise<unknown>;
  getJobCounts(...states: string[]): Promise<Record<string, number>>;
  close(): Promise<void>;
}

test("workers of a BullMQ queue, one of them killed every few seconds, lose no job; all workers are free of type errors", async () => {
  const cwd = await makeLedgerProject();
  await installExamples(cwd);
  await promisify(execFile)(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", cwd]);

  const port = await findFreePort();
  const redis = spawn("redis-server", ["--port", String(port), "--save", "", "--bind", "127.0.0.1"], {
    cwd,
    stdio: "ignore",
  });
  const running = new Set<ChildProcess>();
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
    for (const child of [...running, redis]) child.kill("SIGKILL");
  });
  await untilListening(port);

  const { Queue } = createRequire(join(cwd, "job.js"))("bullmq") as {
    Queue: new (name: string, options: object) => QueueLike;
  };
  const queue = new Queue("codemode", { connection: { port } });
  onTestFinished(() => queue.close());
  const opts = { attempts: 8, backoff: { type: "exponential", delay: 500 } };
  const jobs = Array.from({ length: INPUTS }, (_, index) => ({ name: "run", data: { a: index + 1 }, opts }));
  await queue.addBulk(jobs);

  const startedAt = performance.now();
  const keepRunning = async (): Promise<void> => {
    const words = ["--no-warnings", "--import", resolve("test/host/connections/strip-types.mjs"), "bullmq.ts"];
    while (!isOver) {
      const env = { ...process.env, REDIS_URL: `redis://127.0.0.1:${port}` };
      const child = spawn(process.execPath, words, { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
      running.add(child);
      await once(child, "close");
      running.delete(child);
    }
  };
  const workers = Array.from({ length: WORKERS }, keepRunning);
  let kills = 0;
  let killedAt = Date.now();
  for (;;) {
    const { completed = 0, failed = 0 } = await queue.getJobCounts("completed", "failed");
    if (completed + failed >= INPUTS) break;
    await delay(500);
    if (Date.now() - killedAt < KILL_EVERY_MS) continue;
    killedAt = Date.now();
    [...running][kills % running.size]?.kill("SIGKILL");
    kills += 1;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  isOver = true;
  for (const child of running) child.kill("SIGTERM");
  await Promise.all(workers);
  const calls = await readCalls(cwd);
  const more = calls.length - INPUTS;
  process.stdout.write(
    `BullMQ: ${INPUTS} jobs, ${(INPUTS / seconds).toFixed(0)}/s; ${kills} kills; ${more} calls more than jobs\n`,
  );
  expect(await queue.getJobCounts("completed", "failed")).toEqual({ completed: INPUTS, failed: 0 });
  expect(new Set(calls).size).toBe(INPUTS);
});
