// @ts-check
// A worker of a pg-boss queue (PostgreSQL): runs job.json for each job, whose data is the input. Start as many as there is work for.
// Start: DATABASE_URL=postgres://localhost/jobs node pg-boss.js
import { setTimeout as delay } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { nextStepOf, openProject } from "codemode";

const QUEUE = "codemode";
const CONCURRENCY = 4;
/** So many jobs are fetched at once, and done one after the other: within `expireInSeconds`. */
const BATCH = 20;
const IDLE_MS = 500;

const project = await openProject();
const script = { file: "job.json" };
const engine = await project.openEngine({ script, frozen: true, concurrency: CONCURRENCY, isolation: "compartment" });

const boss = new PgBoss(process.env["DATABASE_URL"] ?? "postgres://localhost/jobs");
boss.on("error", (error) => console.error(error.message));
await boss.start();
// A job of a worker that is killed runs again after `expireInSeconds`: at least once.
await boss.createQueue(QUEUE, { retryLimit: 8, retryBackoff: true, expireInSeconds: 60 });

const ending = new AbortController();
process.once("SIGTERM", () => ending.abort());

/** @param {{ id: string, data: any }} job */
async function runJob({ id, data }) {
  // The key is the same when a job runs again, so that servers that know it work once.
  const answer = await engine.run(script, { input: data, key: `${QUEUE}/${id}` });
  const first = answer.diagnostics.find(({ severity }) => severity === "error");
  if (first === undefined) return boss.complete(QUEUE, id, { ok: true, result: answer.result });
  // What passes by itself is tried again, unless a call was made that may not be made twice. What no try can change is the job's output.
  if (nextStepOf(answer) === "retry") return boss.fail(QUEUE, id, new Error(first.message));
  return boss.complete(QUEUE, id, { ok: false, code: first.code, message: first.message });
}

async function work() {
  while (!ending.signal.aborted) {
    // Fetched here and not by `boss.work`, which takes the next jobs when its pause is over, and not when these are done.
    const jobs = await boss.fetch(QUEUE, { batchSize: BATCH });
    for (const job of jobs) await runJob(job);
    if (jobs.length === 0) await delay(IDLE_MS, undefined, { signal: ending.signal }).catch(() => undefined);
  }
}
await Promise.all(Array.from({ length: CONCURRENCY }, work)); // takes no further job after SIGTERM, and ends those it has
await boss.stop();
await engine.close();
