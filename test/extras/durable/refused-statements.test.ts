import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../../extras/durable/stores/postgres-store.ts";
import { makeDurableRuns } from "../../../extras/durable/durable-runs.ts";
import { startPglite } from "../stores/start-pglite.ts";
import { aRun, create } from "./a-run.ts";
import { fire, sealer } from "./all-stores.ts";

let url: string;
beforeAll(async () => void (url = await startPglite(afterAll)));

test("a database that refuses a statement fails the run at once, and each request that waits for it", async () => {
  const store = await openPostgresStore({ url, place: "the store", sealer });
  onTestFinished(() => store.close());
  const owned = await create(store, aRun());
  const client = new pg.Client(url);
  await client.connect();
  await client.query("drop table codemode_run_steps cascade");
  await client.end();
  const refused = { code: "STORE_UNREACHABLE", message: expect.stringContaining("42P01") };
  await expect(owned.append([fire(1)], true)).rejects.toMatchObject(refused);
  const runs = makeDurableRuns({ store, run: () => Promise.reject(new Error("nothing runs here")) });
  await expect(
    runs.resume(owned.run.id, { access: {} as never, approve: async () => "refused" }),
  ).rejects.toMatchObject(refused);
});
