import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { makeSealer } from "../../../engine/store-plan.ts";
import { type DurableStore, type OwnedRun, RunTaken } from "../../../extras/durable/kept-runs.ts";
import { failedAnswer } from "../../../schemas/run/answer.ts";
import type { Step } from "../../../schemas/run/durable-run.ts";
import { makeDurableRuns } from "../../../extras/durable/durable-runs.ts";
import { beginLate } from "../../../extras/durable/late-run.ts";
import { openFileStore } from "../../../extras/durable/stores/file-store.ts";
import { openPostgresStore } from "../../../extras/durable/stores/postgres-store.ts";
import { aRun, create, listFreeIds, listIds, lookAt } from "./a-run.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { allStores, claim, fire, type Reopen, sealer } from "./all-stores.ts";

const LEASE_MS = 400;
const { stores: STORES, sharedStores: SHARED_STORES, database } = allStores();

/** This thread stands still, as a process that is stopped does: it gives no sign of life. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test.each(STORES)("%s: one process has a run, and what it adds is there in its order", async (_, open) => {
  const reopen = await open();
  const [one, other] = [await reopen(), await reopen()];
  const owned = await create(one);
  const { id } = owned.run;
  expect(await one.create(owned.run)).toBe("held");
  await Promise.all([1, 2, 3].map((timer) => owned.append([fire(timer)], timer === 2)));
  expect(await other.claim(id)).toBe("held");
  expect(await other.read(id)).toMatchObject({ isOwned: true, steps: [1, 2, 3].map(fire) });
  await owned.release();
  const claims = await Promise.all([one.claim(id), other.claim(id)]);
  expect(claims.filter((claim) => claim === "held")).toHaveLength(1);
  const [claimed] = claims.filter((claim) => claim !== "held");
  await claimed?.append([fire(4)]);
  expect(await one.isOwned(id)).toBe(true);
  expect(await listFreeIds(one)).not.toContain(id);
  await claimed?.release();
  expect(await one.isOwned(id)).toBe(false);
  expect(await listFreeIds(one)).toContain(id);
  await (await claim(one, id)).release("blocked");
  expect(await listFreeIds(one)).not.toContain(id);
  await (await claim(one, id)).release();
  expect(await listFreeIds(one)).toContain(id);
  await (await claim(one, id)).release("over");
  expect(await other.read(id)).toMatchObject({ isOwned: false, steps: [1, 2, 3, 4].map(fire) });
  expect(await listFreeIds(one)).not.toContain(id);
  expect(await listIds(one)).toContain(id);
  await one.remove(id);
  expect([await other.read(id), await other.claim(id)]).toEqual([undefined, undefined]);
  await Promise.all([one.close(), other.close()]);
});

test.each(SHARED_STORES)(
  "%s: a process that was stopped for longer than its lease can do nothing more for its run",
  async (_, open) => {
    const reopen = await open();
    const [stopped, other] = [await reopen(LEASE_MS), await reopen()];
    const owned = await create(stopped);
    const { id } = owned.run;
    await owned.append([fire(1)]);
    standStill(LEASE_MS + 100);
    const taken = await other.claim(id);
    if (taken === undefined || taken === "held") throw new Error("not free");
    expect(taken.steps).toEqual([fire(1)]);
    expect(owned.assertOwned).toThrow(RunTaken);
    await expect(owned.append([fire(2)], true)).rejects.toThrow(RunTaken);
    await taken.append([fire(3)]);
    expect((await other.read(id))?.steps).toEqual([fire(1), fire(3)]);
    // It joins again, and has runs of its own, not this one.
    expect(await stopped.claim(id)).toBe("held");
    await (await create(stopped)).append([fire(1)]);
    await Promise.all([stopped.close(), other.close()]);
  },
);

test("files: an old sign of life that is put back gives nothing back", async () => {
  const folder = await makeTestFolder();
  const [stopped, other] = [await openFileStore(folder, sealer, LEASE_MS), await openFileStore(folder, sealer)];
  const owned = await create(stopped);
  const kept = join(await makeTestFolder(), "owners");
  await cp(join(folder, "owners"), kept, { recursive: true });
  standStill(LEASE_MS + 100);
  const taken = await other.claim(owned.run.id);
  expect(taken).not.toBe("held");
  await cp(kept, join(folder, "owners"), { recursive: true });
  await expect(owned.append([fire(1)])).rejects.toThrow(RunTaken);
  expect((await other.read(owned.run.id))?.steps).toEqual([]);
  await Promise.all([stopped.close(), other.close()]);
});

test("files: what was changed, moved to another run or written with another key is no run any more", async () => {
  const folder = await makeTestFolder();
  const store = await openFileStore(folder, sealer);
  const owned = await create(store);
  const { id } = owned.run;
  await owned.append([fire(1), fire(2)]);
  const file = join(folder, id, "steps.1.jsonl");
  const text = await readFile(file, "utf8");
  expect(text).not.toContain("fire");
  const [first = "", second = "", third = ""] = text.split("\n");
  const other = (await create(store)).run.id;
  for (const poisoned of [`${first}\n${third}\n${second}\n`, `${first}\n{"kind":"fire"}\n`]) {
    await writeFile(file, poisoned);
    await expect(store.read(id)).rejects.toMatchObject({ code: "RUN_DAMAGED" });
  }
  await cp(join(folder, other, "run.json"), join(folder, id, "run.json"));
  await writeFile(file, text);
  await expect(store.read(id)).rejects.toMatchObject({ code: "RUN_DAMAGED" });
  // A later process says how much of the files before it counts.
  const next = await create(store);
  await next.append([fire(1), fire(2)]);
  await next.release();
  await claim(store, next.run.id);
  const before = join(folder, next.run.id, "steps.1.jsonl");
  await writeFile(before, `${(await readFile(before, "utf8")).split("\n").slice(0, 2).join("\n")}\n`);
  await expect(store.read(next.run.id)).rejects.toMatchObject({ code: "RUN_DAMAGED" });
  const withOther = await openFileStore(folder, makeSealer("o".repeat(32)));
  await expect(withOther.read(other)).rejects.toMatchObject({ code: "RUN_DAMAGED" });
  await Promise.all([store.close(), withOther.close()]);
});

test("PostgreSQL: rows that were changed, moved or removed are no run any more, and nothing in them can be read", async () => {
  const store = await openPostgresStore({ url: database(), place: "the store", sealer });
  const owned = await create(store);
  const { id } = owned.run;
  await owned.append([fire(1), fire(2)]);
  const client = new pg.Client(database());
  await client.connect();
  const { rows } = await client.query<{ number: string; step: Buffer }>(
    "select number, step from codemode_run_steps where run = $1",
    [id],
  );
  expect(String(rows[0]?.step)).not.toContain("fire");
  const set = (number: number, step: Buffer | undefined) =>
    client.query("update codemode_run_steps set step = $3 where run = $1 and number = $2", [id, number, step]);
  await set(1, rows[1]?.step);
  await expect(store.read(id)).rejects.toMatchObject({ code: "RUN_DAMAGED" });
  await set(1, rows[0]?.step);
  await client.query("delete from codemode_run_steps where run = $1 and number = 1", [id]);
  await expect(store.read(id)).rejects.toMatchObject({ code: "RUN_DAMAGED" });
  await client.end();
  await store.close();
});

test("PostgreSQL: what a database lost that was killed, because it did not wait for its disk, its process adds again", async () => {
  const store = await openPostgresStore({ url: database(), place: "the store", sealer });
  const owned = await create(store);
  await owned.append([fire(1)], true);
  await owned.append([fire(2)]);
  await owned.append([fire(3)]);
  const client = new pg.Client(database());
  await client.connect();
  await client.query("delete from codemode_run_steps where run = $1 and number > 1", [owned.run.id]);
  await owned.append([fire(4)]);
  expect((await store.read(owned.run.id))?.steps).toEqual([1, 2, 3, 4].map(fire));
  // Another process has taken the run by then: nothing is added to what that knows.
  await client.query("delete from codemode_run_steps where run = $1 and number > 2", [owned.run.id]);
  await client.query("update codemode_runs set token = token + 1 where id = $1", [owned.run.id]);
  await expect(owned.append([fire(5)])).rejects.toThrow("Another process has taken over the run");
  expect((await store.read(owned.run.id))?.steps).toEqual([1, 2].map(fire));
  // A database that has lost a claim, as one that is restored does, gives its number to another process.
  const lost = await create(store);
  await client.query("update codemode_runs set owner = 'other' where id = $1", [lost.run.id]);
  await expect(lost.append([fire(1)])).rejects.toThrow("Another process has taken over the run");
  await client.end();
  await store.close();
});

test("PostgreSQL: projects of one database and one key see nothing of each other's runs, and do nothing to them", async () => {
  const plan = { url: database(), place: "the store", sealer } as const;
  const [ours, theirs] = [
    await openPostgresStore({ ...plan, project: "a" }),
    await openPostgresStore({ ...plan, project: "b" }),
  ];
  const owned = await create(ours);
  const { id } = owned.run;
  await owned.append([fire(1)]);
  await owned.release();
  expect([await theirs.read(id), await theirs.claim(id), await theirs.isOwned(id)]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  expect([...(await listIds(theirs)), ...(await listFreeIds(theirs))]).not.toContain(id);
  await theirs.cancel(id);
  await theirs.remove(id);
  expect([await theirs.cancelled([id]), await ours.cancelled([id])]).toEqual([[], []]);
  expect(await listFreeIds(ours)).toContain(id);
  expect(await ours.read(id)).toMatchObject({ steps: [fire(1)], isOwned: false });
  // A row that is given to another project is no run of it: the seal says whose it is.
  const client = new pg.Client(database());
  await client.connect();
  await client.query("update codemode_runs set project = 'b' where id = $1", [id]);
  await client.end();
  await expect(theirs.read(id)).rejects.toMatchObject({ code: "RUN_DAMAGED" });
  await Promise.all([ours.close(), theirs.close()]);
});

test("files: a folder that cannot be used is an error with its name and what to do", async () => {
  const folder = await makeTestFolder();
  // A file where a folder is needed: root may write everywhere else.
  await writeFile(join(folder, "state"), "");
  const place = join(folder, "state", "runs");
  const store = await openFileStore(place, undefined);
  const refused = { code: "FILE_INACCESSIBLE", exitCode: 2, message: expect.stringContaining("ENOTDIR") };
  for (const work of [() => store.create(aRun()), () => store.list(), () => store.read("r".repeat(22))])
    await expect(work()).rejects.toMatchObject(refused);
});

test.each(STORES)("%s: who waits for a run reads its steps only when it has changed", async (_, open) => {
  const reopen = await open();
  const [one, other] = [await reopen(), await reopen()];
  const owned = await create(one);
  const { id } = owned.run;
  await owned.append([fire(1), { kind: "suspended", usedMs: 1, at: 0 }], true);
  let reads = 0;
  const read: DurableStore["read"] = (asked) => {
    reads += 1;
    return other.read(asked);
  };
  const runs = lookAt({ ...other, read });
  const states: string[] = [];
  for (let at = 0; at < 5; at += 1) states.push((await runs.find(id)).state);
  expect([reads, new Set(states)]).toEqual([1, new Set(["waiting"])]);
  await owned.append([fire(2)]);
  expect([(await runs.find(id)).state, reads]).toEqual(["running", 2]);
  await owned.release();
  expect([(await runs.find(id)).state, (await runs.find(id)).state, reads]).toEqual(["interrupted", "interrupted", 3]);
  await other.remove(id);
  await expect(runs.find(id)).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
  await Promise.all([runs.close(), one.close()]);
});

test.each(STORES)("%s: a run that another process goes on with meanwhile is not removed", async (_, open) => {
  const reopen = await open();
  const [one, other] = [await reopen(), await reopen()];
  const owned = await create(one);
  const { id } = owned.run;
  const ended: Step = { kind: "ended", at: 1, answer: failedAnswer([]), ending: "result" };
  await owned.append([ended], true);
  await owned.release("over");
  let taken: OwnedRun | undefined;
  /** It has ended; then the other process has it. */
  const head: DurableStore["head"] = async (asked) => {
    const known = await other.head(asked);
    taken ??= await claim(one, asked);
    return known;
  };
  const run = () => Promise.reject(new Error("nothing runs here"));
  const runs = makeDurableRuns({ store: { ...other, head }, run });
  await expect(runs.remove(id)).rejects.toMatchObject({ code: "RUN_OPEN" });
  await taken?.append([fire(1)]);
  await taken?.release();
  expect(await other.removeOver(id)).toBe(false);
  expect(await other.read(id)).toMatchObject({ steps: [ended, fire(1)] });
  const last = await claim(other, id);
  await last.append([ended]);
  await last.release("over");
  expect(await one.removeOver(id)).toBe(true);
  expect([await one.read(id), await one.claim(id), await listIds(one)]).toEqual([
    undefined,
    undefined,
    expect.not.arrayContaining([id]),
  ]);
  await (await create(one, owned.run)).release();
  await Promise.all([runs.close(), one.close()]);
});

test("files: whether a process has a run is known without its steps, however many there are", async () => {
  const folder = await makeTestFolder();
  const [one, other] = [await openFileStore(folder, sealer), await openFileStore(folder, sealer)];
  const owned = await create(one);
  const { id } = owned.run;
  await owned.append([fire(1)]);
  const file = join(folder, id, "steps.1.jsonl");
  // Who would read it, or parse it, finds out.
  await writeFile(file, `${(await readFile(file, "utf8")).split("\n")[0]}\n${"no step\n".repeat(1000)}`);
  expect([await other.isOwned(id), await listFreeIds(other)]).toEqual([true, []]);
  await owned.release();
  expect([await other.isOwned(id), await listFreeIds(other)]).toEqual([false, [id]]);
  await Promise.all([one.close(), other.close()]);
});

test("files: a line that was cut off by a kill is not there, and a run that was never whole is begun again", async () => {
  const folder = await makeTestFolder();
  const store = await openFileStore(folder, undefined);
  const owned = await create(store);
  await owned.append([fire(1)]);
  await owned.release();
  const file = join(folder, owned.run.id, "steps.1.jsonl");
  await writeFile(file, `${await readFile(file, "utf8")}{"kind":"fi`);
  expect(await store.claim(owned.run.id)).toMatchObject({ steps: [fire(1)] });
  const cut = aRun();
  await mkdir(join(folder, cut.id));
  expect(await store.read(cut.id)).toBeUndefined();
  expect(await store.create(cut)).not.toBe("held");
  expect((await readdir(join(folder, cut.id))).toSorted()).toEqual(["run.json", "steps.1.jsonl"]);
  await store.close();
});

test.each(STORES)(
  "%s: messages for runs are there in their order until they are read, and go with their run",
  async (_, open) => {
    const reopen = await open();
    const [one, other] = [await reopen(), await reopen()];
    const [mine, next] = [await create(one), await create(one)];
    const [id, nextId] = [mine.run.id, next.run.id];
    const grant = (question: number) => ({ question, digest: "d", decision: { verdict: "granted" as const } });
    expect(await other.leave("x".repeat(22), grant(1))).toBe(false);
    for (const question of [1, 2]) {
      expect(await other.leave(id, grant(question))).toBe(true);
      expect(await other.leave(nextId, grant(10 * question))).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const left = await one.messages([id]);
    expect(left.map(({ run, message }) => [run, message])).toEqual([
      [id, grant(1)],
      [id, grant(2)],
    ]);
    await one.discard(left.slice(0, 1));
    const numbersIn = async (store: DurableStore): Promise<number[]> =>
      (await store.messages([id, nextId])).map(({ message: { question } }) => question);
    expect(new Set(await numbersIn(other))).toEqual(new Set([10, 2, 20]));
    await mine.release();
    await one.remove(id);
    expect(await numbersIn(one)).toEqual([10, 20]);
    // A run with its key has its id.
    await (await create(one, mine.run)).release();
    expect(await one.messages([id])).toEqual([]);
    await next.release();
    await Promise.all([one.close(), other.close()]);
  },
);

test.each(STORES)("%s: a run enters with the first step that must not be lost, and all before it", async (_, open) => {
  const store = await (await open())();
  const late = beginLate(store, aRun());
  const { id } = late.run;
  await late.append([fire(1)]);
  expect([late.isKept(), await store.read(id)]).toEqual([false, undefined]);
  // What comes while it enters comes after it.
  await Promise.all([late.append([fire(2)], true), late.append([fire(3)]), late.enter(), late.append([fire(4)], true)]);
  expect(await store.read(id)).toMatchObject({ isOwned: true, steps: [1, 2, 3, 4].map(fire) });
  expect([late.isKept(), late.steps]).toEqual([true, [1, 2, 3, 4].map(fire)]);
  await late.release("over");
  expect(await store.read(id)).toMatchObject({ isOwned: false });
  await store.close();
});

/** Two late runs of a store; the first has heard of one timer. */
async function beginTwo(open: () => Promise<Reopen>) {
  const store = await (await open())();
  onTestFinished(() => store.close());
  const [one, other] = [beginLate(store, aRun()), beginLate(store, aRun())];
  await one.append([fire(1)]);
  const areThere = async (): Promise<boolean[]> => {
    const ids = await listIds(store);
    return [one, other].map(({ run }) => ids.includes(run.id));
  };
  return { one, other, areThere };
}

test.each(STORES)(
  "%s: a run that ends before that leaves nothing, and one whose id is given stays",
  async (_, open) => {
    const { one: gone, other: named, areThere } = await beginTwo(open);
    await gone.release("over");
    await named.append([fire(1)]);
    await named.enter();
    expect(await areThere()).toEqual([false, true]);
  },
);

test.each(STORES)(
  "%s: a run that is over enters no more, and its end comes after what was entering it",
  async (_, open) => {
    const { one: late, other: over, areThere } = await beginTwo(open);
    const entering = late.enter();
    expect(await late.closeEntry()).toBe(true);
    await entering;
    await late.release("over");
    expect(await over.closeEntry()).toBe(false);
    await over.enter();
    expect(await areThere()).toEqual([true, false]);
  },
);
