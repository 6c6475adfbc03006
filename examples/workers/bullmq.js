// @ts-check
// A worker of a BullMQ queue (Redis): runs job.json for each job, whose data is the input. Start as many as there is work for.
// Start: REDIS_URL=redis://localhost:6379 node bullmq.js
import { UnrecoverableError, Worker } from "bullmq";
import { Redis } from "ioredis";
import { nextStepOf, openProject } from "codemode";

const QUEUE = "codemode";
const CONCURRENCY = 4;
const connection = new Redis(process.env["REDIS_URL"] ?? "redis://localhost:6379", { maxRetriesPerRequest: null });

const project = await openProject();
const script = { file: "job.json" };
const engine = await project.openEngine({ script, frozen: true, concurrency: CONCURRENCY, isolation: "compartment" });

const worker = new Worker(
  QUEUE,
  async ({ id, data }) => {
    // The key is the same when a job runs again, so that servers that know it work once.
    const answer = await engine.run(script, { input: data, key: `${QUEUE}/${id}` });
    const first = answer.diagnostics.find(({ severity }) => severity === "error");
    if (first === undefined) return answer.result;
    // Not where the run has made a call that may not be made twice.
    const mayPass = nextStepOf(answer) === "retry";
    // BullMQ tries a job again with the pauses of its producer, unless it says that no try can succeed.
    throw mayPass ? new Error(first.message) : new UnrecoverableError(`${first.code}: ${first.message}`);
  },
  // The job of a worker that is killed is given to another one after `lockDuration`: at least once.
  { connection, concurrency: CONCURRENCY, lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 5 },
);
worker.on("error", (error) => console.error(error.message));

process.once("SIGTERM", async () => {
  await worker.close(); // takes no further job, and waits for those under way
  await engine.close();
  await connection.quit();
});

/**
 * A producer adds jobs like this.
 *
 * @param {import("bullmq").Queue} queue
 * @param {readonly object[]} inputs
 */
export const addJobs = (queue, inputs) =>
  queue.addBulk(
    inputs.map((data, index) => ({
      name: "run",
      data,
      opts: { jobId: `input-${index + 1}`, attempts: 8, backoff: { type: "exponential", delay: 500 } },
    })),
  );
