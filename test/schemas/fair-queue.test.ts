import fc from "fast-check";
import { expect, test } from "vitest";
import { type FairQueue, makeFairQueue } from "../../schemas/fair-queue.ts";

/** A queue of the names given, each of which begins with its key. */
function queueOf(...names: string[]): FairQueue<string> {
  const queue = makeFairQueue<string>();
  for (const name of names) queue.add(name.slice(0, 1), name);
  return queue;
}

function takeAll(queue: FairQueue<string>): string[] {
  const taken: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) taken.push(next);
  return taken;
}

test("the items of one key come out in the order in which they came", () => {
  expect(takeAll(queueOf("a1", "a2", "a3"))).toEqual(["a1", "a2", "a3"]);
});

test("keys take turns, in the order in which they came", () => {
  expect(takeAll(queueOf("a1", "a2", "a3", "b1", "b2", "c1"))).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("the key that was served last waits for the others, also where its line was empty meanwhile", () => {
  const queue = queueOf("a1");
  expect(queue.take()).toBe("a1");
  for (const name of ["a2", "a3", "b1"]) queue.add(name.slice(0, 1), name);
  expect(takeAll(queue)).toEqual(["b1", "a2", "a3"]);
});

test("an item can leave from any place, once", () => {
  const queue = queueOf("a1", "a2", "b1");
  expect(queue.remove("a", "a1")).toBe(true);
  expect(queue.remove("a", "a1")).toBe(false);
  expect(queue.remove("b", "a2")).toBe(false);
  expect(queue.remove("c", "c1")).toBe(false);
  expect([queue.size, queue.countOf("a"), queue.countOf("b"), queue.countOf("c")]).toEqual([2, 1, 1, 0]);
  expect(takeAll(queue)).toEqual(["a2", "b1"]);
  expect(queue.size).toBe(0);
});

test("the longest line is known, and of lines of one length the one that is served first", () => {
  expect(makeFairQueue().longest()).toBeUndefined();
  expect(queueOf("a1", "b1", "b2", "c1", "c2").longest()).toEqual({ key: "b", length: 2, last: "b2" });
});

test("a key such as `__proto__` is a key", () => {
  const queue = makeFairQueue<string>();
  queue.add("__proto__", "x");
  expect([queue.countOf("__proto__"), queue.countOf("constructor"), queue.take()]).toEqual([1, 0, "x"]);
});

test("every added item comes out once, and between two items of a key every key that waits is served", () => {
  const keys = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 });
  fc.assert(
    fc.property(keys, (added) => {
      const names = added.map((key, index) => `${key}${index}`);
      const taken = takeAll(queueOf(...names));
      expect(taken.toSorted()).toEqual(names.toSorted());
      for (const [index, name] of taken.entries()) {
        const key = name.slice(0, 1);
        const next = taken.findIndex((other, at) => at > index && other.startsWith(key));
        if (next === -1) continue;
        const between = new Set(taken.slice(index + 1, next).map((other) => other.slice(0, 1)));
        const waiting = new Set(taken.slice(index + 1).map((other) => other.slice(0, 1)));
        waiting.delete(key);
        expect(between).toEqual(waiting);
      }
    }),
  );
});
