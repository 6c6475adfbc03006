import { expect, test } from "vitest";
import { makeFairTurns } from "../../../engine/process/fair-turns.ts";

/** Tasks that record their names at their start, and end on request. */
function setUp() {
  const inTurn = makeFairTurns();
  const begun: string[] = [];
  const endings: (() => void)[] = [];
  const give = (name: string, clientId?: string): Promise<string> =>
    inTurn(() => {
      begun.push(name);
      return new Promise<string>((resolve) => endings.push(() => resolve(name)));
    }, clientId);
  /** Ends running tasks until none is left. */
  const endAll = async (): Promise<void> => {
    for (let end = endings.shift(); end !== undefined; end = endings.shift()) {
      end();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { inTurn, begun, give, endAll };
}

test("one task at a time, in the order in which they were given", async () => {
  const { begun, give, endAll } = setUp();
  const all = Promise.all(["a", "b", "c"].map((name) => give(name)));
  expect(begun).toEqual(["a"]);
  await endAll();
  expect(begun).toEqual(["a", "b", "c"]);
  expect(await all).toEqual(["a", "b", "c"]);
});

test("clients take turns, however many tasks one of them has given", async () => {
  const { begun, give, endAll } = setUp();
  for (const name of ["a1", "a2", "a3", "a4"]) void give(name, "a");
  for (const name of ["b1", "b2"]) void give(name, "b");
  void give("c1", "c");
  await endAll();
  expect(begun).toEqual(["a1", "b1", "a2", "c1", "b2", "a3", "a4"]);
});

test("a client that asks again after its turn queues behind the others", async () => {
  const { begun, give, endAll } = setUp();
  void give("a1", "a").then(() => give("a2", "a"));
  void give("b1", "b");
  void give("c1", "c");
  await endAll();
  expect(begun).toEqual(["a1", "b1", "c1", "a2"]);
});

test("a task that fails does not stop the next", async () => {
  const { inTurn, give, endAll } = setUp();
  const failing = inTurn(() => Promise.reject(new Error("It failed.")), "a");
  const next = give("next", "a");
  await expect(failing).rejects.toThrow("It failed.");
  await endAll();
  expect(await next).toBe("next");
});
