import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { takeClock } from "../../move-clock.ts";
import { type JournalDatabase, openJournalDatabase } from "../../../extras/batch/claims/open-database.ts";
import { makeSealer } from "../../../engine/store-plan.ts";
import { openSharedJournal, type SharedBatch } from "../../../extras/batch/claims/shared-journal.ts";
import type { BatchInput } from "../../../extras/batch/read-inputs.ts";
import { startPglite } from "../stores/start-pglite.ts";
import { startProxy } from "../stores/start-proxy.ts";

let url: string;
let database: JournalDatabase;
beforeAll(async () => {
  url = await startPglite(afterAll);
  database = await openJournalDatabase(url);
  afterAll(() => database.close());
});

async function* inputs(count: number): AsyncGenerator<BatchInput> {
  for (let line = 1; line <= count; line += 1) yield { line, text: `${line}` } as BatchInput;
}
async function* secrets(count: number): AsyncGenerator<BatchInput> {
  for await (const { line } of inputs(count)) yield { line, text: `{"secret":${line}}` } as BatchInput;
}
async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
const openFor = async (shared: Partial<SharedBatch> & { name: string }) => {
  const named = { project: "p", url, key: "sha256-program", isEntering: true } as const;
  const journal = await openSharedJournal({ ...named, ...shared });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= journal.close());
  onTestFinished(close);
  return { ...journal, close };
};
const open = (name: string, address = url) => openFor({ name, url: address });
const linesOf = (claimed: readonly { line: number }[]): number[] => claimed.map(({ line }) => line);
const done = (line: number) => ({ line, ok: true, result: line * 2 }) as const;

test("processes claim each input once, write its result once, and know when all is done", async () => {
  const [one, other] = [await open("shared"), await open("shared")];
  await one.enter(inputs(5), "digest");
  await other.enter(inputs(5), "digest");
  expect(one.batch).toBe(other.batch);
  const [first, second] = [await one.claim(3), await other.claim(3)];
  expect([linesOf(first), linesOf(second), await one.claim(3)]).toEqual([[1, 2, 3], [4, 5], []]);
  expect(first[0]?.input).toBe(1);
  expect(await Promise.all(linesOf(first).map((line) => one.add(done(line))))).toEqual([true, true, true]);
  expect(await one.finishedOf([2, 3, 4])).toEqual([2, 3]);
  // A result of an input that it has not claimed is not kept.
  expect(await one.add({ line: 4, ok: true, result: "another" })).toBe(false);
  expect(await one.isFinished()).toBe(false);
  await other.add({ line: 4, ok: false, diagnostics: [] });
  await other.add(done(5));
  expect([await one.isFinished(), await one.state()]).toEqual([true, { total: 5, done: 5, failed: 1 }]);
  const results: unknown[] = [];
  for await (const text of other.results()) results.push(JSON.parse(text));
  expect(results).toEqual([done(1), done(2), done(3), { line: 4, ok: false, diagnostics: [] }, done(5)]);
  // With the same inputs the failed ones wait again.
  await one.enter(inputs(5), "digest");
  expect(linesOf(await one.claim(5))).toEqual([4]);
});

test("what a process has claimed waits again when it ends, and a batch of other inputs is refused", async () => {
  const one = await open("given-back");
  await one.enter(inputs(2), "digest");
  expect(linesOf(await one.claim(2))).toEqual([1, 2]);
  const other = await open("given-back");
  // It has just looked for dead processes.
  expect(await other.claim(2)).toEqual([]);
  await one.close();
  expect(linesOf(await other.claim(2))).toEqual([1, 2]);
  await expect(other.enter(inputs(3), "another")).rejects.toMatchObject({ code: "BATCH_DIFFERS" });
  await expect(openFor({ name: "never-entered", isEntering: false })).rejects.toMatchObject({ code: "BATCH_UNKNOWN" });
});

test("a batch goes on when the connections of its database break: no claim is lost and no result", async () => {
  const proxy = await startProxy(url);
  const journal = await open("restarted", proxy.of(url));
  await journal.enter(inputs(6), "digest");
  expect(linesOf(await journal.claim(2))).toEqual([1, 2]);
  // What is under way, and the answers to it, are lost with the connections.
  for (const work of [() => journal.claim(2), () => journal.add(done(1)), () => journal.isFinished()]) {
    proxy.freeze();
    const working = work();
    setTimeout(() => proxy.thaw(), 100);
    await working;
  }
  await journal.add(done(2));
  const rest = linesOf(await journal.claim(6));
  expect(rest.length).toBe(2);
  for (const line of [3, 4, 5, 6]) await journal.add(done(line));
  expect([await journal.isFinished(), await journal.state()]).toEqual([true, { total: 6, done: 6, failed: 0 }]);
});

test("a claim whose answer is lost is made again, and its inputs are not lost with it", async () => {
  const proxy = await startProxy(url);
  const journal = await open("answer-lost", proxy.of(url));
  await journal.enter(inputs(4), "digest");
  expect(linesOf(await journal.claim(1))).toEqual([1]);
  proxy.mute();
  const claiming = journal.claim(2);
  const claimed = "SELECT line FROM codemode_inputs WHERE state = 'claimed'";
  await vi.waitFor(async () => expect((await database.query<object>(claimed)).length).toBeGreaterThanOrEqual(3), 5_000);
  proxy.thaw();
  expect(linesOf(await claiming)).toEqual([2, 3]);
  // The same with a result: it is this process's own.
  proxy.mute();
  const adding = journal.add(done(2));
  const kept = `SELECT line FROM codemode_inputs JOIN codemode_batches ON batch = id
    WHERE name = 'answer-lost' AND state = 'done'`;
  await vi.waitFor(async () => expect(await database.query<object>(kept)).toEqual([{ line: 2 }]), 5_000);
  proxy.thaw();
  expect(await adding).toBe(true);
});

test("a batch whose inputs were entered in part is entered to its end, by who has the same inputs", async () => {
  const [one, other] = [await open("in-part"), await open("in-part")];
  async function* broken(): AsyncGenerator<BatchInput> {
    yield* inputs(1000);
    throw new Error("the file is gone");
  }
  await expect(one.enter(broken(), "digest")).rejects.toThrow("the file is gone");
  expect([await one.state(), await one.isFinished()]).toEqual([{ total: undefined, done: 0, failed: 0 }, false]);
  await expect(other.enter(inputs(2500), "another")).rejects.toMatchObject({ code: "BATCH_DIFFERS" });
  await other.enter(inputs(2500), "digest");
  expect((await one.state()).total).toBe(2500);
  expect(await other.claim(2500)).toHaveLength(2500);
  await Promise.all(Array.from({ length: 450 }, (_, index) => other.add(done(index + 1))));
  const lines: number[] = [];
  for await (const text of one.results()) lines.push((JSON.parse(text) as { line: number }).line);
  expect(lines).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
});

test("with a key inputs and results are encrypted, each at its place; what was put there without one is refused", async () => {
  const sealer = makeSealer("k".repeat(32));
  const openWith = (changed: Partial<SharedBatch>, name = "sealed") => openFor({ name, isEntering: false, ...changed });
  const journal = await openWith({ sealer, isEntering: true });
  await journal.enter(secrets(3), "digest");
  expect(await journal.claim(1)).toEqual([{ line: 1, input: { secret: 1 } }]);
  await journal.add({ line: 1, ok: true, result: "secret 1" });
  const rows = await database.query<object>(
    "SELECT input, result FROM codemode_inputs JOIN codemode_batches ON batch = id WHERE name = 'sealed'",
  );
  expect([rows.length, JSON.stringify(rows).includes("secret")]).toEqual([3, false]);
  expect(await listOf((await openWith({ sealer })).results())).toEqual(['{"line":1,"ok":true,"result":"secret 1"}']);
  for (const other of [undefined, makeSealer("o".repeat(32))]) {
    const denied = await openWith({ sealer: other });
    await expect(denied.claim(1)).rejects.toMatchObject({ message: expect.stringContaining("storeKey") });
    await denied.close();
  }
  // An input in the place of another one.
  const moved = await openWith({ sealer });
  const of = "batch = (SELECT id FROM codemode_batches WHERE name = 'sealed')";
  await database.query(
    `UPDATE codemode_inputs SET input = (SELECT input FROM codemode_inputs WHERE ${of} AND line = 3) WHERE ${of} AND line = 2`,
  );
  await expect(moved.claim(1)).rejects.toMatchObject({ message: expect.stringContaining("line 2") });
  // One that was put there by a program without the key.
  await database.query(
    `UPDATE codemode_inputs SET input = '{}', state = 'done', result = '{"line":1,"ok":true}' WHERE ${of}`,
  );
  const refused = { code: "STORE_INVALID", message: expect.stringContaining("does not open the result of line 1") };
  await expect(listOf(moved.results())).rejects.toMatchObject(refused);
  await database.query(`UPDATE codemode_inputs SET state = 'waiting' WHERE ${of}`);
  await expect(moved.claim(1)).rejects.toMatchObject({ message: expect.stringContaining("does not open the input") });
});

test("a batch that has no digest of its inputs is entered once", async () => {
  const one = await open("piped");
  await one.enter(inputs(2), undefined);
  await expect(one.enter(inputs(2), undefined)).rejects.toMatchObject({ code: "BATCH_DIFFERS" });
  expect(linesOf(await one.claim(5))).toEqual([1, 2]);
});

test("inputs that failed wait again when all are through, and no sooner", async () => {
  const one = await open("failing");
  await one.enter(inputs(2), "digest");
  await one.claim(1);
  await one.add({ line: 1, ok: false, diagnostics: [] });
  await one.enter(inputs(2), "digest");
  expect(linesOf(await one.claim(5))).toEqual([2]);
  expect(await one.isFinished()).toBe(false);
});

test("inputs are claimed in the order of their lines, however they were entered", async () => {
  const one = await open("backwards");
  async function* backwards(): AsyncGenerator<BatchInput> {
    for (let line = 9; line > 0; line -= 1) yield { line, text: `${line}` } as BatchInput;
  }
  await one.enter(backwards(), "digest");
  expect(linesOf(await one.claim(6))).toEqual([1, 2, 3, 4, 5, 6]);
});

test("batches of another program and of another name have inputs and keys of their own", async () => {
  const one = await open("own");
  const others = [await open("own-2"), await openFor({ name: "own", key: "sha256-other" })];
  await one.enter(inputs(1), "digest");
  expect(new Set([one, ...others].map(({ batch }) => batch)).size).toBe(3);
  expect(one.batch).toMatch(/^[A-Za-z0-9]{24}$/);
  expect(one.batch).not.toMatch(/program/);
  for (const other of others) expect(await other.claim(1)).toEqual([]);
});

/** From now on no process was heard of for so long. */
const age = (seconds: number) =>
  database.query("UPDATE codemode_workers SET seen = now() - $1 * interval '1 second'", [seconds]);
const countWorkers = async (): Promise<number> =>
  (await database.query<object>("SELECT id FROM codemode_workers")).length;

test("what a process has claimed that is dead is claimed by another one, and its late result is not kept", async () => {
  const [dead, other] = [await open("dead"), await open("dead")];
  await dead.enter(inputs(2), "digest");
  expect(linesOf(await dead.claim(2))).toEqual([1, 2]);
  await age(21);
  expect(linesOf(await other.claim(2))).toEqual([1, 2]);
  await dead.add({ line: 1, ok: true, result: "late" });
  expect(await other.state()).toEqual({ total: 2, done: 0, failed: 0 });
});

test("a process looks for dead ones every few seconds, and forgets them after minutes", async () => {
  const time = takeClock({ stands: true });
  const [dead, other] = [await open("looked-for"), await open("looked-for")];
  await dead.enter(inputs(2), "digest");
  expect(linesOf(await dead.claim(1))).toEqual([1]);
  expect(linesOf(await other.claim(1))).toEqual([2]);
  const workers = await countWorkers();
  await age(201);
  // None of them gives a sign of life meanwhile.
  time.skip(4000);
  expect(await other.claim(2)).toEqual([]);
  expect(await countWorkers()).toBe(workers);
  time.skip(1001);
  expect(linesOf(await other.claim(2))).toEqual([1, 2]);
  expect(await countWorkers()).toBe(0);
});

test("a process that lives says so until it ends, and is then forgotten", async () => {
  const time = takeClock({ stands: true });
  const [journal, idle] = [await open("alive"), await open("alive")];
  await journal.claim(1);
  await age(60);
  await time.move(5000);
  const heardOf = "SELECT id FROM codemode_workers WHERE seen > now() - interval '20 seconds'";
  // One that claims nothing has nothing to say.
  await expect.poll(async () => (await database.query<object>(heardOf)).length).toBe(1);
  // A sign of life that is under way does not outlive it.
  const passing = time.move(50_000);
  for (let turns = 0; turns < 6; turns += 1) await turn();
  await Promise.all([journal.close(), idle.close(), passing]);
  expect(time.waits()).toBe(0);
  expect(await database.query<object>(heardOf)).toEqual([]);
});

test("projects that use one database have batches of their own", async () => {
  const of = (project: string, isEntering: boolean) => openFor({ project, name: "nightly", isEntering });
  const ours = await of("a", true);
  await ours.enter(inputs(2), "digest");
  await expect(of("b", false)).rejects.toMatchObject({ code: "BATCH_UNKNOWN" });
  const theirs = await of("b", true);
  await theirs.enter(inputs(3), "other");
  expect([(await ours.state()).total, (await theirs.state()).total]).toEqual([2, 3]);
  expect(linesOf(await ours.claim(9))).toEqual([1, 2]);
  expect(theirs.batch).not.toBe(ours.batch);
});
