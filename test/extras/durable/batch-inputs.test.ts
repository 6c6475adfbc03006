import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { SharedBatch } from "../../../engine/run/batch-inputs.ts";
import { makeSealer, type StorePlan } from "../../../engine/store-plan.ts";
import { openBatchInputs } from "../../../extras/durable/stores/batch-inputs.ts";
import { joinDatabase, lendDatabase } from "../../../extras/durable/stores/join-database.ts";
import { openPostgresStore } from "../../../extras/durable/stores/postgres-store.ts";
import { startPglite } from "../stores/start-pglite.ts";
import { startProxy } from "../stores/start-proxy.ts";
import { create } from "./a-run.ts";
import { sealer } from "./all-stores.ts";

let url: string;
let database: pg.Pool;
beforeAll(async () => {
  url = await startPglite(afterAll);
  database = new pg.Pool({ connectionString: url, max: 2 });
  afterAll(() => database.end());
});

const rowsOf = async <Row>(sql: string, ...values: unknown[]): Promise<Row[]> =>
  (await database.query(sql, values)).rows as Row[];

async function* inputs(count: number, textOf = (line: number): string => `${line}`) {
  for (let line = 1; line <= count; line += 1) yield { line, text: textOf(line) };
}
async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

interface Opening extends Partial<SharedBatch>, Partial<Pick<StorePlan, "url" | "sealer" | "project">> {}

/** Opens a batch as a process of its own would, and brings its inputs unless said otherwise. */
async function open(name: string, { url: address = url, ...other }: Opening = {}) {
  const { sealer: key = sealer, project = "p", ...shared } = other;
  const plan = { url: address, place: "the store", sealer: key, project };
  const joined = await joinDatabase(plan);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= joined.close());
  onTestFinished(close);
  const opened = await openBatchInputs(joined, plan, { name, program: "sha256-p", isEntering: true, ...shared });
  return { ...opened, close };
}

type Opened = Awaited<ReturnType<typeof open>>;

const linesOf = (claimed: readonly { line: number }[]): number[] => claimed.map(({ line }) => line);
const claim = async (batch: Opened, most: number) => linesOf(await batch.claimInputs(most));
const finish = (batch: Opened, line: number, more: { hasFailed?: boolean; result?: string; runId?: string } = {}) =>
  batch.finishInput({ line, hasFailed: false, result: JSON.stringify({ line }), ...more });
/** Ends the lease of the process that has claimed an input, which does not know of it yet. */
const endLease = ({ batch }: Opened, line: number) =>
  database.query(
    "update codemode_run_owners set until = now() - interval '1 second' where id in (select owner from codemode_inputs where batch = $1 and line = $2)",
    [batch, line],
  );

test("processes claim each input once, keep its result once, and know when all is done", async () => {
  const [one, other] = [await open("shared"), await open("shared")];
  await one.enterInputs(inputs(5), "digest");
  await other.enterInputs(inputs(5), "digest");
  expect(one.batch).toBe(other.batch);
  const [first, second] = [await one.claimInputs(3), await other.claimInputs(3)];
  expect([linesOf(first), linesOf(second), await one.claimInputs(3)]).toEqual([[1, 2, 3], [4, 5], []]);
  expect(first[0]?.input).toBe(1);
  expect(await Promise.all(linesOf(first).map((line) => finish(one, line)))).toEqual([true, true, true]);
  // A result of an input that it has not claimed is not kept.
  expect([await finish(one, 4), await one.isFinished()]).toEqual([false, false]);
  await finish(other, 4, { hasFailed: true });
  await finish(other, 5);
  expect([await one.isFinished(), await one.stateOf()]).toEqual([true, { total: 5, done: 5, failed: 1 }]);
  expect(await listOf(other.results())).toEqual([1, 2, 3, 4, 5].map((line) => `{"line":${line}}`));
  // With the same inputs the failed ones wait again.
  await one.enterInputs(inputs(5), "digest");
  expect(await claim(other, 5)).toEqual([4]);
});

test("inputs are claimed in the order of their lines, and failed ones wait again when all are finished, no sooner", async () => {
  const one = await open("failing");
  await one.enterInputs(
    (async function* () {
      for (let line = 4; line > 0; line -= 1) yield { line, text: "null" };
    })(),
    "digest",
  );
  expect(await claim(one, 2)).toEqual([1, 2]);
  await finish(one, 1, { hasFailed: true });
  await one.enterInputs(inputs(4), "digest");
  expect(await claim(one, 5)).toEqual([3, 4]);
  expect(await one.isFinished()).toBe(false);
});

test("a process that ends, and one that has lost its lease, give their inputs to others; a late result is not kept", async () => {
  const [dead, ended, other] = [await open("dead"), await open("dead"), await open("dead")];
  await dead.enterInputs(inputs(4), "digest");
  expect([await claim(dead, 2), await claim(ended, 2), await claim(other, 9)]).toEqual([[1, 2], [3, 4], []]);
  await ended.close();
  expect(await claim(other, 9)).toEqual([3, 4]);
  await endLease(dead, 1);
  expect(await claim(other, 1)).toEqual([1]);
  // A result of an input that no other process has claimed since still counts, and its own process does not claim it again.
  expect(await claim(dead, 9)).toEqual([]);
  expect([await finish(dead, 1), await finish(dead, 2), await finish(other, 1)]).toEqual([false, true, true]);
  expect(await other.stateOf()).toEqual({ total: 4, done: 2, failed: 0 });
});

test("an input that waits again after it has failed takes no late result of its first owner", async () => {
  const [one, other] = [await open("again"), await open("again")];
  await one.enterInputs(inputs(1), "digest");
  await claim(one, 1);
  await endLease(one, 1);
  expect(await claim(other, 1)).toEqual([1]);
  await finish(other, 1, { hasFailed: true });
  await other.enterInputs(inputs(1), "digest");
  expect([await finish(one, 1), await other.isFinished()]).toEqual([false, false]);
});

test("other inputs under the name of a batch are refused, whether it is entered in part or whole", async () => {
  const [one, other] = [await open("in-part"), await open("in-part")];
  async function* broken() {
    yield* inputs(1000);
    throw new Error("the file is gone");
  }
  await expect(one.enterInputs(broken(), "digest")).rejects.toThrow("the file is gone");
  expect([await one.stateOf(), await one.isFinished()]).toEqual([{ total: undefined, done: 0, failed: 0 }, false]);
  const differs = { code: "BATCH_DIFFERS", message: expect.stringContaining("the store") };
  await expect(other.enterInputs(inputs(2500), "another")).rejects.toMatchObject(differs);
  // The process that has the same inputs enters the rest.
  await other.enterInputs(inputs(2500), "digest");
  expect((await one.stateOf()).total).toBe(2500);
  await expect(other.enterInputs(inputs(2501), "another")).rejects.toMatchObject(differs);
  expect(await claim(other, 2500)).toHaveLength(2500);
  await Promise.all(Array.from({ length: 450 }, (_, index) => finish(other, index + 1)));
  const lines = (await listOf(one.results())).map((text) => (JSON.parse(text) as { line: number }).line);
  expect(lines).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
});

test("a batch whose inputs can be read once is entered once, and a batch that was never entered is unknown", async () => {
  const one = await open("piped");
  await one.enterInputs(inputs(2), undefined);
  await expect(one.enterInputs(inputs(2), undefined)).rejects.toMatchObject({ code: "BATCH_DIFFERS" });
  expect(await claim(one, 5)).toEqual([1, 2]);
  await expect(open("never-entered", { isEntering: false })).rejects.toMatchObject({ code: "BATCH_UNKNOWN" });
});

test("one process at a time enters inputs: others with the same ones take part, and enter them when it is dead", async () => {
  const [first, other, piping] = [await open("entering"), await open("entering"), await open("entering")];
  let goOn = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  async function* slow() {
    yield* inputs(1000);
    await waiting;
  }
  const entering = first.enterInputs(slow(), "digest");
  await expect.poll(() => claim(other, 1000)).toHaveLength(1000);
  await other.enterInputs(inputs(1001), "digest");
  expect((await other.stateOf()).total).toBeUndefined();
  const differs = { code: "BATCH_DIFFERS" };
  await expect(other.enterInputs(inputs(1), "another")).rejects.toMatchObject(differs);
  await expect(piping.enterInputs(inputs(1), undefined)).rejects.toMatchObject(differs);
  await database.query(
    "update codemode_run_owners set until = now() - interval '1 second' where id = (select owner from codemode_batches where id = $1)",
    [first.batch],
  );
  await other.enterInputs(inputs(1001), "digest");
  goOn();
  await entering;
  // The late process does not say how many there are.
  expect([(await other.stateOf()).total, await claim(other, 9)]).toEqual([1001, [1001]]);
});

test("three processes have each of 5,000 inputs once", async () => {
  const batches = [await open("many"), await open("many"), await open("many")] as const;
  await batches[0].enterInputs(inputs(5000), "digest");
  const lines = await Promise.all(
    batches.map(async (batch) => {
      const found: number[] = [];
      for (let some = await claim(batch, 250); some.length > 0; some = await claim(batch, 250)) {
        expect(await Promise.all(some.map((line) => finish(batch, line)))).not.toContain(false);
        found.push(...some);
      }
      return found;
    }),
  );
  expect(lines.flat().toSorted((one, other) => one - other)).toEqual(Array.from({ length: 5000 }, (_, at) => at + 1));
  expect(await batches[1].stateOf()).toEqual({ total: 5000, done: 5000, failed: 0 });
});

test("batches of another project, program and name have inputs and keys of their own", async () => {
  const one = await open("own");
  await one.enterInputs(inputs(2), "digest");
  await expect(open("own", { project: "q", isEntering: false })).rejects.toMatchObject({ code: "BATCH_UNKNOWN" });
  const others = [
    await open("own", { project: "q" }),
    await open("own", { program: "sha256-q" }),
    await open("own, but not quite"),
  ];
  expect(new Set([one, ...others].map(({ batch }) => batch)).size).toBe(4);
  for (const other of others) expect([await claim(other, 1), await other.isFinished()]).toEqual([[], false]);
  await others[0]?.enterInputs(inputs(3), "other");
  expect([(await one.stateOf()).total, (await others[0]?.stateOf())?.total]).toEqual([2, 3]);
});

const HOSTILE = [
  ["quotes", `"'; drop table codemode_inputs; --"`],
  ["escapes of a string", JSON.stringify("\u0000\u001b[2J\\\ud800\u202e")],
  ["a key that is a name of objects", '{"__proto__":{"isAdmin":true},"constructor":1}'],
  ["a long number", "1e999999"],
  ["a mark that looks sealed", '"sealed:AAAA"'],
  ["an array of PostgreSQL", '"{1,2,NULL}"'],
] as const;

test.each(HOSTILE)("an input with %s comes back as it was", async (name, text) => {
  const one = await open(name);
  await one.enterInputs(
    inputs(2, (line) => (line === 1 ? text : "2")),
    "digest",
  );
  const [first, second] = await one.claimInputs(2);
  expect([JSON.stringify(first?.input), second?.input]).toEqual([JSON.stringify(JSON.parse(text)), 2]);
  expect(await finish(one, 1, { result: text })).toBe(true);
  expect(await listOf(one.results())).toEqual([text]);
});

test("inputs and results are encrypted, each for its line of its batch of its project and program", async () => {
  const one = await open("sealed");
  await one.enterInputs(
    inputs(3, (line) => `{"secret":${line}}`),
    "digest",
  );
  expect(await one.claimInputs(1)).toEqual([{ line: 1, input: { secret: 1 } }]);
  await finish(one, 1, { result: '"secret 1"' });
  const rows = await rowsOf<{ input: Buffer; result: Buffer }>(
    "select * from codemode_inputs where batch = $1",
    one.batch,
  );
  expect(rows).toHaveLength(3);
  for (const { input, result } of rows) expect(`${input.toString()}${result?.toString()}`).not.toContain("secret");
  const invalid = (what: string) => ({ code: "STORE_INVALID", message: expect.stringContaining(what) });
  const denied = await open("sealed", { sealer: makeSealer("o".repeat(32)), isEntering: false });
  await expect(denied.claimInputs(1)).rejects.toMatchObject(invalid("storeKey"));
  await denied.close();
  // An input in the place of another one.
  const moved = await open("sealed", { isEntering: false });
  await database.query(
    "update codemode_inputs set input = (select input from codemode_inputs where batch = $1 and line = 3) where batch = $1 and line = 2",
    [one.batch],
  );
  await expect(moved.claimInputs(1)).rejects.toMatchObject(invalid("the input of line 2"));
  await moved.close();
  // The batch under the name of another program, which would get its inputs.
  await database.query("update codemode_batches set program = 'sha256-other' where id = $1", [one.batch]);
  const renamed = await open("sealed", { program: "sha256-other", isEntering: false });
  await expect(renamed.claimInputs(1)).rejects.toMatchObject(invalid("the input of line 2"));
  await expect(listOf(renamed.results())).rejects.toMatchObject(invalid("the result of line 1"));
  // The id of a batch is in the keys of its runs.
  await database.query(
    "insert into codemode_batches (id, project, name, program) values ('a b', 'p', 'odd', 'sha256-p')",
  );
  await expect(open("odd")).rejects.toMatchObject({ code: "STORE_INVALID" });
});

test("a batch goes on when its connections break: no claim is lost and no result", async () => {
  const proxy = await startProxy(url);
  const batch = await open("restarted", { url: proxy.of(url) });
  await batch.enterInputs(inputs(6), "digest");
  expect(await claim(batch, 2)).toEqual([1, 2]);
  // What is under way, and the answers to it, are lost with the connections.
  for (const work of [() => finish(batch, 1), () => batch.isFinished(), () => batch.stateOf()]) {
    proxy.freeze();
    const working = work();
    setTimeout(() => proxy.thaw(), 100);
    await working;
  }
  expect(await finish(batch, 2)).toBe(true);
  // A claim that was made, and whose answer is lost, is found again.
  proxy.mute();
  const claiming = claim(batch, 2);
  const claimed = () => rowsOf("select from codemode_inputs where batch = $1 and state = 'claimed'", batch.batch);
  await vi.waitFor(async () => expect(await claimed()).toHaveLength(2), 5_000);
  proxy.thaw();
  expect(await claiming).toEqual([3, 4]);
  // So is a result.
  proxy.mute();
  const finishing = finish(batch, 3);
  await vi.waitFor(async () => expect(await claimed()).toHaveLength(1), 5_000);
  proxy.thaw();
  expect([await finishing, await claim(batch, 9)]).toEqual([true, [5, 6]]);
});

test("a result and the removal of its durable run are one step; a run that has not ended, and one of another project, stay", async () => {
  const batch = await open("durable");
  const store = await openPostgresStore({ url, place: "the store", sealer, project: "p" });
  const foreign = await openPostgresStore({ url, place: "the store", sealer, project: "q" });
  onTestFinished(async () => void (await Promise.all([store.close(), foreign.close()])));
  const [over, going, waiting] = [await create(store), await create(store), await create(store)];
  const theirs = await create(foreign);
  await Promise.all([over.release("over"), waiting.release(), theirs.release("over")]);
  await batch.enterInputs(inputs(4), "digest");
  await claim(batch, 4);
  for (const [at, owned] of [over, going, waiting, theirs].entries())
    expect(await finish(batch, at + 1, { runId: owned.run.id })).toBe(true);
  const stays = async (id: string) => (await rowsOf("select from codemode_runs where id = $1", id)).length === 1;
  expect(await Promise.all([over, going, waiting, theirs].map((owned) => stays(owned.run.id)))).toEqual([
    ...[false, true, true, true],
  ]);
  // A result that is not kept leaves the run, which is the other process's own.
  await going.release("over");
  expect([await finish(batch, 9, { runId: going.run.id }), await stays(going.run.id)]).toEqual([false, true]);
});

test("the durable runs that a process opens while it takes part in a batch have the lease of the batch", async () => {
  const plan = { url, place: "the store", sealer, project: "p" };
  const lent = await lendDatabase(plan);
  const batch = await openBatchInputs(lent, plan, { name: "lent", program: "sha256-p", isEntering: true });
  const store = await openPostgresStore(plan);
  const owned = await create(store);
  await batch.enterInputs(inputs(1), "digest");
  await batch.claimInputs(1);
  const owners = await rowsOf<{ owner: string }>(
    "select owner from codemode_runs where id = $1 union select owner from codemode_inputs where batch = $2",
    owned.run.id,
    batch.batch,
  );
  expect(owners).toHaveLength(1);
  await owned.release("over");
  await store.close();
  expect(await batch.isFinished()).toBe(false);
  await batch.close();
  expect(await rowsOf("select from codemode_run_owners where id = $1", owners[0]?.owner)).toEqual([]);
});
