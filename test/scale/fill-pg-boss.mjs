// Fills the queue of examples/workers/pg-boss.js, and ends when each job is done; it fails with the first job that fails.
// usage: DATABASE_URL=… fill-pg-boss.mjs JOBS
import { setTimeout as delay } from "node:timers/promises";
import { PgBoss } from "pg-boss";

const QUEUE = "codemode";
const total = Number(process.argv[2]);
const boss = new PgBoss(process.env.DATABASE_URL);
await boss.start();
await boss.createQueue(QUEUE, { retryLimit: 8, retryBackoff: true, expireInSeconds: 60 });
await boss.insert(
  QUEUE,
  Array.from({ length: total }, (_, index) => ({ data: { a: index + 1 } })),
);
const count = "SELECT count(*) FILTER (WHERE output->>'ok' = 'true') AS done FROM pgboss.job WHERE state = 'completed'";
for (let done = 0; done < total;) {
  // sleeps: between two looks at a queue
  await delay(200);
  const { rows } = await boss.getDb().executeSql(count, []);
  done = Number(rows[0].done);
}
await boss.stop();
