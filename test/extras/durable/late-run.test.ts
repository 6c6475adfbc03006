import { expect, test } from "vitest";
import { beginLate } from "../../../extras/durable/late-run.ts";
import { storeUnreachable } from "../../../schemas/config/serve-errors.ts";
import { aRun, listIds } from "./a-run.ts";
import { allStores, fire } from "./all-stores.ts";

const { stores: STORES } = allStores();

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

test.each(STORES)(
  "%s: a run that ends before that leaves nothing, and one whose id is given stays",
  async (_, open) => {
    const store = await (await open())();
    const [gone, named] = [beginLate(store, aRun()), beginLate(store, aRun())];
    await gone.append([fire(1)]);
    await gone.release("over");
    await named.append([fire(1)]);
    await named.enter();
    const ids = await listIds(store);
    expect([ids.includes(gone.run.id), ids.includes(named.run.id)]).toEqual([false, true]);
    await store.close();
  },
);

test.each(STORES)(
  "%s: a run that is over enters no more, and its end comes after what was entering it",
  async (_, open) => {
    const store = await (await open())();
    const [late, over] = [beginLate(store, aRun()), beginLate(store, aRun())];
    await late.append([fire(1)]);
    const entering = late.enter();
    expect(await late.closeEntry()).toBe(true);
    await entering;
    await late.release("over");
    expect(await over.closeEntry()).toBe(false);
    await over.enter();
    const ids = await listIds(store);
    expect([ids.includes(late.run.id), ids.includes(over.run.id)]).toEqual([true, false]);
    await store.close();
  },
);

test("a run that could not enter goes on, and what must not be lost fails", async () => {
  let tries = 0;
  const away = storeUnreachable("the store", { code: "ECONNREFUSED" });
  const create = async (): Promise<never> => {
    tries += 1;
    throw away;
  };
  const late = beginLate({ create }, aRun());
  await late.append([fire(1)]);
  const steps = [late.append([fire(2)], true), late.append([fire(3)]), late.append([fire(4)], true)];
  expect(await Promise.allSettled(steps)).toMatchObject([{ reason: away }, { status: "fulfilled" }, { reason: away }]);
  await expect(late.enter()).rejects.toBe(away);
  expect([late.isKept(), late.steps, tries]).toEqual([false, [fire(1), fire(3)], 1]);
});
