// A worker of a pg-boss queue (PostgreSQL): runs job.json for each job, whose data is the input. Start as many as there is work for.
// Start: DATABASE_URL=postgres://localhost/jobs node pg-boss.ts
import { PgBoss } from "pg-boss";
import { DIAGNOSTIC_CODES, type JsonValue, openProject } from "codemode";

const QUEUE = "codemode";
const CONCURRENCY = 4;

const project = await openProject();
const script = { file: "job.json" };
const engine = await project.openEngine({ script, frozen: true, concurrency: CONCURRENCY, isolation: "compartment" });

const boss = new PgBoss(process.env["DATABASE_URL"] ?? "postgres://localhost/jobs");
boss.on("error", (error) => console.error(error.message));
await boss.start();
// A job of a worker that is killed runs again after `expireInSeconds`: at least once.
await boss.createQueue(QUEUE, { retryLimit: 8, retryBackoff: true, expireInSeconds: 60 });

for (let index = 0; index < CONCURRENCY; index += 1) {
  await boss.work<JsonValue>(QUEUE, { batchSize: 1, pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job === undefined) return null;
    // The key is the same when a job runs again, so that servers that know it work once.
    const run = { input: job.data, key: `${QUEUE}/${job.id}`, signal: job.signal };
    const { result, diagnostics } = await engine.run(script, run);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const [first] = errors;
    if (first === undefined) return { ok: true, result };
    // What is thrown is tried again; what no try can change is the job's output.
    if (errors.every(({ code }) => DIAGNOSTIC_CODES[code] === "retry")) throw new Error(first.message);
    return { ok: false, code: first.code, message: first.message };
  });
}

process.once("SIGTERM", async () => {
  await boss.stop({ graceful: true, timeout: 30_000 }); // takes no further job, and waits for those under way
  await engine.close();
});
