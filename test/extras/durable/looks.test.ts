import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clock } from "../../../engine/clock.ts";
import { MACHINE } from "../../../engine/files.ts";
import type { DurableStore, FreeRun, OwnedRun } from "../../../extras/durable/kept-runs.ts";
import { makeReasons } from "../../../extras/durable/watch-free-runs.ts";
import { openFileStore } from "../../../extras/durable/stores/file-store.ts";
import { ownAccess } from "../../../schemas/access/access.ts";
import { failedAnswer } from "../../../schemas/run/answer.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { takeClock } from "../../move-clock.ts";
import { aRun, create, listFreeIds, listIds, lookAt } from "./a-run.ts";

const REQUEST = {
  access: ownAccess({ allow: ["*"], ask: [], deny: [] }),
  approve: async () => "unavailable" as const,
};

test("files: a folder without a run is no run, and goes when it is old", async () => {
  const folder = await makeTestFolder();
  const store = await openFileStore(folder, undefined);
  const owned = await create(store);
  await owned.release();
  const [young, old] = ["y".repeat(22), "o".repeat(22)];
  for (const id of [young, old]) await mkdir(join(folder, id));
  await writeFile(join(folder, old, "run.json.part"), "{");
  await utimes(join(folder, old), 0, 0);
  expect([await listIds(store), await listFreeIds(store)]).toEqual([[owned.run.id], [owned.run.id]]);
  const runs = lookAt(store);
  expect(await runs.prune(Date.now())).toBe(0);
  expect((await readdir(folder)).toSorted()).toEqual(["heads", owned.run.id, "owners", young].toSorted());
  await runs.close();
});

test("runs that fail to go on wait for longer each time, and hold no other up", async () => {
  const time = takeClock();
  const store = await openFileStore(await makeTestFolder(), undefined);
  const bad = new Set<string>();
  for (let at = 0; at < 5; at += 1) {
    const owned = await create(store);
    bad.add(owned.run.id);
    await owned.release();
  }
  const good = await create(store);
  await good.append([{ kind: "ended", at: Date.now(), answer: failedAnswer([]), ending: "result" }]);
  await good.release();
  const claimed: string[] = [];
  const claim: DurableStore["claim"] = async (id) => {
    claimed.push(id);
    if (bad.has(id)) throw Object.assign(new Error("no permission"), { code: "EACCES" });
    return store.claim(id);
  };
  const runs = lookAt({ ...store, claim });
  const failures: unknown[] = [];
  const stop = runs.watch(
    () => REQUEST,
    (error) => failures.push(error),
  );
  const triesOf = (id: string): number => claimed.filter((each) => each === id).length;
  const begunAt = clock.now();
  await time.moveUntil(() => claimed.includes(good.run.id) && [...bad].every((id) => triesOf(id) >= 4));
  stop();
  // Its end is said to the others before the folder of the test goes.
  const headOfGood = async () => (await store.list()).find(({ id }) => id === good.run.id)?.head;
  await expect.poll(headOfGood).toMatchObject({ state: "ended" });
  await expect.poll(() => store.isOwned(good.run.id)).toBe(false);
  expect(claimed.filter((id) => id === good.run.id)).toHaveLength(1);
  // After 2, 4, 8 and 16 seconds, and not at each look.
  expect(clock.now() - begunAt).toBeGreaterThan(14_000);
  for (const id of bad) expect([4, 5]).toContain(triesOf(id));
  expect(failures).toHaveLength([...bad].reduce((tries, id) => tries + triesOf(id), 0));
  await runs.close();
});

/** What a process claims of a store that it watches for so many looks. */
async function claimedByWatch(
  time: ReturnType<typeof takeClock>,
  store: DurableStore,
  isOver: (claimed: readonly string[]) => boolean,
): Promise<string[]> {
  const claimed: string[] = [];
  const claim: DurableStore["claim"] = (id) => {
    claimed.push(id);
    return store.claim(id);
  };
  const runs = lookAt({ ...store, claim });
  const stop = runs.watch(
    () => REQUEST,
    () => undefined,
  );
  await time.moveUntil(() => isOver(claimed));
  stop();
  return claimed;
}

test("a process leaves a run alone that waits for its time, also one that its process was killed with", async () => {
  const time = takeClock();
  const store = await openFileStore(await makeTestFolder(), undefined, 200);
  const later = Date.now() + 3_600_000;
  const waiting = async (wakeAt: number): Promise<OwnedRun> => {
    const owned = await create(store);
    await owned.append([{ kind: "suspended", usedMs: 1, wakeAt, at: Date.now() }]);
    return owned;
  };
  const [resting, due] = [await waiting(later), await waiting(Date.now() - 1)];
  for (const owned of [resting, due]) await owned.release();
  expect(await claimedByWatch(time, store, (claimed) => claimed.length > 0)).toEqual([due.run.id]);
  // Nothing but its silence says that its process has ended; it gets a head at the first look, and is left alone then.
  const killed = await waiting(later);
  time.skip(300);
  const headOfKilled = async () => (await store.list()).find(({ id }) => id === killed.run.id)?.head;
  const claimed: string[] = [];
  await claimedByWatch(time, store, (ids) => {
    claimed.splice(0, Infinity, ...ids);
    return ids.includes(killed.run.id);
  });
  await expect.poll(headOfKilled).toMatchObject({ state: "waiting", wakeAt: later });
  expect(claimed).not.toContain(resting.run.id);
  expect(await store.listFree()).toContainEqual(
    expect.objectContaining({ id: killed.run.id, wait: expect.objectContaining({ wakeAt: later }) }),
  );
  await store.close();
});

test("the time of a run comes by the clock of the wall, or as long after it was first seen as it was to take", () => {
  const clocks = { wall: 1_000_000, steady: 0 };
  const due = makeReasons(true, { wall: () => clocks.wall, steady: () => clocks.steady });
  const run: FreeRun = { id: "r", token: 1, wait: { isAsked: false, wakeAt: 1_060_000, restMs: 60_000 } };
  const at = (wall: number, steady: number, runs = [run]) => {
    Object.assign(clocks, { wall, steady });
    return due(runs).length;
  };
  expect([at(1_000_000, 0), at(1_059_999, 59_999), at(1_060_000, 59_999)]).toEqual([0, 0, 1]);
  // The clock was set back by a year.
  const year = 365 * 24 * 3_600_000;
  expect([at(1_000_000 - year, 59_999), at(1_000_000 - year, 60_000)]).toEqual([0, 1]);
  // Its next rest is another one, and what is gone in between is seen for the first time.
  const next = { ...run, token: 2 };
  expect([at(0, 70_000, [next]), at(0, 120_000, [next]), at(0, 125_000, []), at(0, 130_000, [next])]).toEqual([
    0, 0, 0, 0,
  ]);
  expect(at(0, 190_000, [next])).toBe(1);
  // Without a wait, or where something has come, it may go on at once.
  expect(at(0, 0, [{ id: "i" }, { ...run, hasCome: true }])).toBe(2);
});

test("a run that waits for a person is gone on with where a process can ask, or when it was answered", () => {
  const asked: FreeRun = { id: "r", token: 1, wait: { isAsked: true } };
  const counts = [true, false].map((asksHere) =>
    [asked, { ...asked, hasCome: true }].map((run) => makeReasons(asksHere)([run]).length),
  );
  expect(counts).toEqual([
    [1, 1],
    [0, 1],
  ]);
});

test("what ended 30 days ago is removed by a process that watches", async () => {
  const store = await openFileStore(await makeTestFolder(), undefined);
  const endedAt = async (at: number, run = aRun()): Promise<string> => {
    const owned = await create(store, run);
    await owned.append([{ kind: "ended", at, answer: failedAnswer([]), ending: "result" }]);
    await owned.release("over");
    return owned.run.id;
  };
  const monthAgo = Date.now() - 30 * 24 * 3_600_000;
  const [old, young] = [await endedAt(monthAgo - 1000), await endedAt(monthAgo + 60_000)];
  // The clock is ahead: by the one that is never set, it was begun now.
  const begunOn = { machine: MACHINE, steadyMs: clock.steady() };
  const fresh = await endedAt(monthAgo - 1000, { ...aRun(), begunOn });
  const runs = lookAt(store);
  const failures: unknown[] = [];
  const stop = runs.watch(
    () => undefined,
    (error) => failures.push(error),
  );
  await expect.poll(async () => (await listIds(store)).includes(old)).toBe(false);
  stop();
  expect([new Set(await listIds(store)), failures]).toEqual([new Set([young, fresh]), []]);
  await runs.close();
});

test("the list has every run: one that is damaged is named, and a look that fails is an error", async () => {
  const folder = await makeTestFolder();
  const store = await openFileStore(folder, undefined);
  const ids: string[] = [];
  for (let at = 0; at < 40; at += 1) {
    const owned = await create(store);
    ids.push(owned.run.id);
    await owned.release();
  }
  const damaged = ids[7] ?? "";
  await writeFile(join(folder, damaged, "run.json"), "{");
  let open = 0;
  let most = 0;
  const read: DurableStore["read"] = async (id) => {
    open += 1;
    most = Math.max(most, open);
    const found = await store.read(id).finally(() => (open -= 1));
    if (id === failing) throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
    return found;
  };
  let failing: string | undefined;
  const runs = lookAt({ ...store, read });
  const found = await runs.list();
  expect(found.map(({ id, state }) => [id, state])).toEqual(
    expect.arrayContaining(ids.map((id) => [id, id === damaged ? "damaged" : "interrupted"])),
  );
  expect([found.length, most <= 16]).toEqual([40, true]);
  failing = ids[20];
  await expect(runs.list()).rejects.toMatchObject({ code: "EMFILE" });
  failing = undefined;
  expect([await runs.remove(damaged), (await runs.list()).length]).toEqual([1, 39]);
  await runs.close();
});
