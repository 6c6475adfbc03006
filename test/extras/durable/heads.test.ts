import { readdir, readFile, rename, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DurableStore, Rest } from "../../../extras/durable/kept-runs.ts";
import { openDatabase } from "../../../engine/open-database.ts";
import { RUN_ID } from "../../../engine/run-id.ts";
import { makeSealer } from "../../../engine/store-plan.ts";
import { openFileStore } from "../../../extras/durable/stores/file-store.ts";
import { openPostgresStore } from "../../../extras/durable/stores/postgres-store.ts";
import type { Step } from "../../../schemas/run/durable-run.ts";
import { failedAnswer } from "../../../schemas/run/answer.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { create, listIds, lookAt } from "./a-run.ts";
import { allStores, claim, fire, sealer } from "./all-stores.ts";

const { stores: STORES, database } = allStores();

const ANSWER = failedAnswer([{ severity: "error", code: "RUN_CANCELLED", message: "m", hint: "h" }]);
const RESTING: [string, Step, Rest | undefined, object][] = [
  ["waiting", { kind: "suspended", usedMs: 1, wakeAt: 5, at: 2 }, undefined, { wakeAt: 5, restMs: 3, waitsSince: 2 }],
  ["blocked", { kind: "blocked", answer: ANSWER }, "blocked", { error: "RUN_CANCELLED" }],
  ["ended", { kind: "ended", at: 7, answer: ANSWER, ending: "result" }, "over", { endedAt: 7, error: "RUN_CANCELLED" }],
];

describe.each(STORES)("%s: the head of a run that rests", (_, open) => {
  test.each(RESTING)("says that it is %s, until the next claim", async (state, last, rest, head) => {
    const reopen = await open();
    const [one, other] = [await reopen(), await reopen()];
    const headHere = async (store: DurableStore) => {
      const listed = (await store.list()).find((run) => run.id === id)?.head;
      expect(await store.head(id)).toEqual(listed);
      return listed;
    };
    const owned = await create(one);
    const { id } = owned.run;
    await owned.append([{ kind: "call", call: 1, serverId: "s", toolName: "t", inputJson: "{}", timeMs: 0 }]);
    await owned.append([{ kind: "asked", about: "call", call: 1, digest: "d", nonce: "n", lines: ["Pay?"] }, last]);
    expect(await headHere(other)).toBeUndefined();
    await owned.release(rest);
    const questions = state === "ended" ? [] : [["Pay?"]];
    expect(await headHere(other)).toMatchObject({ id, state, script: "script.ts", calls: 1, questions, ...head });
    expect(await headHere(other)).not.toHaveProperty("answer");
    const claimed = await claim(other, id);
    expect([await headHere(one), await headHere(other)]).toEqual([undefined, undefined]);
    await claimed.append([{ kind: "sent", call: 1, input: {} }]);
    await claimed.release();
    // It does not rest: the next process that looks goes on with it.
    expect(await headHere(one)).toBeUndefined();
    const again = await claim(one, id);
    await again.append([last]);
    await again.release(rest);
    expect(await headHere(one)).toMatchObject({ state, calls: 1 });
    await one.remove(id);
    expect(await headHere(one)).toBeUndefined();
    await Promise.all([one.close(), other.close()]);
  });
});

test("files: a head that was changed, moved, cut off or left behind says nothing, and the list reads the steps", async () => {
  const folder = await makeTestFolder();
  const store = await openFileStore(folder, sealer);
  const rest = async (amount: number): Promise<string> => {
    const owned = await create(store);
    const call = (at: number): Step => ({
      kind: "call",
      call: at,
      serverId: "s",
      toolName: "t",
      inputJson: "{}",
      timeMs: 0,
    });
    await owned.append(Array.from({ length: amount }, (_, at) => call(at + 1)));
    await owned.append([{ kind: "suspended", usedMs: 1, at: 0 }]);
    await owned.release();
    return owned.run.id;
  };
  const [id, other] = [await rest(1), await rest(2)];
  const head = (of: string): string => join(folder, "heads", `${of}.1.waiting`);
  const whole = await readFile(head(id));
  expect(String(whole)).not.toContain("script");
  const runs = lookAt(store);
  const listed = async () => (await runs.list()).find((run) => run.id === id);
  for (const bytes of [await readFile(head(other)), whole.subarray(0, 40), Buffer.from("{}"), Buffer.alloc(0)]) {
    await writeFile(head(id), bytes);
    expect((await store.list()).find((run) => run.id === id)).not.toHaveProperty("head");
    expect(await listed()).toMatchObject({ state: "waiting", calls: 1 });
  }
  await rename(head(id), join(folder, "heads", `${id}.1.ended`));
  expect(await listed()).toMatchObject({ state: "waiting" });
  await rm(join(folder, "heads", `${id}.1.ended`));
  await writeFile(head(id), whole);
  // A process claims the run, and is killed before it can take the head away.
  await writeFile(join(folder, id, "steps.2.jsonl"), "");
  expect(await listed()).toMatchObject({ state: "waiting" });
  expect((await store.list()).find((run) => run.id === id)).not.toHaveProperty("head");
  // Another removes a run, and is killed before it can remove the head: that goes with the next sweep.
  await rm(join(folder, other), { recursive: true });
  expect(await listIds(store)).toEqual([id]);
  await store.sweep?.();
  expect(await readdir(join(folder, "heads"))).toEqual([`${id}.1.waiting`]);
  await runs.close();
});

test.each(STORES)("%s: what is free says what it waits for, and whether something has come", async (_, open) => {
  const reopen = await open();
  const [one, other] = [await reopen(), await reopen()];
  const freeRun = async (store: DurableStore, id: string) => (await store.listFree()).find((run) => run.id === id);
  const rest = async (steps: readonly Step[]): Promise<string> => {
    const owned = await create(one);
    await owned.append(steps);
    await owned.release();
    return owned.run.id;
  };
  const asked = { kind: "asked", about: "call", call: 1, digest: "d", nonce: "n", lines: ["Pay?"] } as const;
  const timer = await rest([{ kind: "suspended", usedMs: 1, wakeAt: 500, at: 200 }]);
  const person = await rest([asked, { kind: "suspended", usedMs: 1, at: 0 }]);
  const interrupted = await rest([fire(1)]);
  for (const store of [one, other, other]) {
    expect(await freeRun(store, timer)).toMatchObject({ wait: { isAsked: false, wakeAt: 500, restMs: 300 } });
    expect(await freeRun(store, person)).toMatchObject({ wait: { isAsked: true } });
    const found = await freeRun(store, interrupted);
    expect([found?.id, found?.wait]).toEqual([interrupted, undefined]);
    // What only waits for a process comes first.
    const ids = (await store.listFree()).map(({ id }) => id);
    expect(ids.indexOf(interrupted)).toBeLessThan(ids.indexOf(timer));
  }
  await one.leave(person, { question: 1, digest: "d", decision: { verdict: "refused" } });
  expect([(await freeRun(other, person))?.hasCome, (await freeRun(other, timer))?.hasCome ?? false]).toEqual([
    true,
    false,
  ]);
  await other.discard(await other.messages([person]));
  expect((await freeRun(other, person))?.hasCome ?? false).toBe(false);
  const claimed = await claim(one, timer);
  expect(await freeRun(other, timer)).toBeUndefined();
  await claimed.append([{ kind: "suspended", usedMs: 1, wakeAt: 900, at: 800 }]);
  await claimed.release();
  expect(await freeRun(other, timer)).toMatchObject({ wait: { wakeAt: 900, restMs: 100 } });
  await other.cancel(timer);
  const fresh = await reopen();
  expect(await freeRun(fresh, timer)).toMatchObject({ hasCome: true });
  await other.remove(person);
  expect(await freeRun(other, person)).toBeUndefined();
  await Promise.all([one.close(), other.close(), fresh.close()]);
});

test.each(STORES)(
  "%s: the list, and what removes runs that have ended, read no steps of runs that rest",
  async (_, open) => {
    const store = await (await open())();
    const rest = async ([, last, how]: (typeof RESTING)[number]): Promise<string> => {
      const owned = await create(store);
      await owned.append([last]);
      await owned.release(how);
      return owned.run.id;
    };
    const [waiting = "", blocked = "", ended = ""] = await Promise.all(RESTING.map(rest));
    const older = await rest(RESTING[2] as (typeof RESTING)[number]);
    const ids = [waiting, blocked, ended, older];
    const unread: string[] = [...ids];
    const read: DurableStore["read"] = async (id) => {
      if (unread.includes(id)) throw new Error(`the steps of ${id} are read`);
      return store.read(id);
    };
    const runs = lookAt({ ...store, read });
    const states = (await runs.list()).flatMap((run) => (ids.includes(run.id) ? [run.state] : []));
    expect(states.toSorted()).toEqual(["blocked", "ended", "ended", "waiting"]);
    expect(await runs.remove(ended)).toBe(1);
    expect(await store.head(ended)).toBeUndefined();
    expect(await runs.prune(8)).toBe(1);
    unread.length = 0;
    for (const id of [waiting, blocked]) await expect(runs.remove(id)).rejects.toMatchObject({ code: "RUN_OPEN" });
    expect((await listIds(store)).filter((id) => ids.includes(id)).toSorted()).toEqual([waiting, blocked].toSorted());
    await runs.close();
  },
);

const changeByte = async (run: string): Promise<void> => {
  const file = join(run, "steps.1.jsonl");
  const bytes = await readFile(file);
  await writeFile(file, bytes.fill("A", 0, 8));
};

test.each([
  ["steps that were changed", changeByte],
  ["steps that were cut off", (run: string) => truncate(join(run, "steps.1.jsonl"), 3)],
  ["steps of an earlier claim that are missing", (run: string) => rm(join(run, "steps.1.jsonl"))],
  ["a beginning that was changed", (run: string) => writeFile(join(run, "run.json"), "{}")],
])("files: the list shows that a run is damaged that has a head, by %s", async (_, damage) => {
  const folder = await makeTestFolder();
  const store = await openFileStore(folder, sealer);
  const { run, append, release } = await create(store);
  await append([fire(1)], true);
  await release();
  const claimed = await claim(store, run.id);
  await claimed.append([{ kind: "suspended", usedMs: 1, at: 0 }]);
  await claimed.release();
  const runs = lookAt(store);
  // Files that were copied without their times are whole: their steps are read.
  await utimes(join(folder, run.id, "run.json"), 1, 1);
  expect([await store.head(run.id), await runs.list()]).toMatchObject([undefined, [{ id: run.id, state: "waiting" }]]);
  await damage(join(folder, run.id));
  expect(await runs.list()).toMatchObject([{ id: run.id, state: "damaged" }]);
  await runs.close();
});

const openRows = () =>
  openDatabase(database(), {
    ...{ need: "This test", connectMs: 5000, queryMs: 5000 },
    toError: (error) => error as Error,
  });

test("PostgreSQL: a row without a run id is no run, and a text that is no run id finds no run", async () => {
  const store = await openPostgresStore({ url: database(), place: "the store", sealer });
  const rows = await openRows();
  const insert = "insert into codemode_runs (id, project, run, token) values ($1, '', '', 1)";
  await rows.query(insert, ["x --cancel; rm -rf ~"]);
  const listed = [...(await store.list()), ...(await store.listFree())].map(({ id }) => id);
  expect(listed.filter((id) => !RUN_ID.test(id))).toEqual([]);
  const runs = lookAt(store);
  for (const id of ["x --cancel; rm -rf ~", "\0"])
    await expect(runs.find(id)).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
  await Promise.all([rows.close(), runs.close()]);
});

test("PostgreSQL: the list shows that a run with a head is damaged, once a process with the key has read it", async () => {
  const plan = { url: database(), place: "the store", sealer };
  const [store, other] = [
    await openPostgresStore(plan),
    await openPostgresStore({ ...plan, sealer: makeSealer("o".repeat(32)) }),
  ];
  const { run, append, release } = await create(store);
  await append([{ kind: "suspended", usedMs: 1, at: 0 }]);
  await release();
  const runs = lookAt(store);
  const state = async () => (await runs.list()).find(({ id }) => id === run.id)?.state;
  await expect(other.read(run.id)).rejects.toMatchObject({ code: "RUN_DAMAGED" });
  expect(await store.head(run.id)).toBeDefined();
  const rows = await openRows();
  await rows.query("update codemode_run_steps set step = $2 where run = $1", [run.id, Buffer.from("changed")]);
  expect(await state()).toBe("waiting");
  await expect(runs.find(run.id)).rejects.toMatchObject({ code: "RUN_DAMAGED" });
  expect(await state()).toBe("damaged");
  await Promise.all([rows.close(), runs.close(), other.close()]);
});
