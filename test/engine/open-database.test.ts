import { expect, onTestFinished, test } from "vitest";
import { type Database, openDatabase } from "../../engine/open-database.ts";
import { startPglite } from "../extras/stores/start-pglite.ts";

const NAMES = "select statement from pg_prepared_statements where name like 'codemode_%'";

async function open(url: string): Promise<Database> {
  const options = { need: "A test", connectMs: 5000, queryMs: 5000, connections: 1 };
  const database = await openDatabase(url, { ...options, toError: (error) => error as Error });
  onTestFinished(() => database.close());
  return database;
}

test("a statement that is prepared is planned once for a connection", async () => {
  const { query } = await open(await startPglite());
  const add = (one: number): Promise<object[]> => query("select $1::int + 1 as sum", [one], { isPrepared: true });
  expect([await add(1), await add(2)]).toEqual([[{ sum: 2 }], [{ sum: 3 }]]);
  expect(await query(NAMES)).toEqual([{ statement: "select $1::int + 1 as sum" }]);
});

test("behind a pooler that shares sessions a prepared statement runs, once, without a name", async () => {
  const url = await startPglite();
  // Both are connections to one session, as behind a pooler.
  const [one, other] = [await open(url), await open(url)];
  await one.query("create table added (number int)");
  const add = ({ query }: Database, number: number): Promise<object[]> =>
    query("insert into added values ($1)", [number], { isPrepared: true });
  await add(one, 1); // has the name
  await add(other, 2); // the name is taken
  await one.query("deallocate all");
  await add(one, 3); // the name is gone
  await add(other, 4);
  expect(await one.query("select number from added order by number")).toEqual(
    [1, 2, 3, 4].map((number) => ({ number })),
  );
  expect(await one.query(NAMES)).toEqual([]);
  await expect(one.query("select 1 / $1::int", [0], { isPrepared: true })).rejects.toMatchObject({ code: "22012" });
});
