import { expect, test } from "vitest";
import { writeTogether } from "../../engine/write-together.ts";

/** A writer whose writes end, or fail, when the test says so. */
function startWriter() {
  const written: (readonly number[])[] = [];
  const ends: { done: () => void; fail: (error: Error) => void }[] = [];
  const add = writeTogether<number, void>((values) => {
    written.push(values);
    return new Promise((done, fail) => ends.push({ done, fail }));
  });
  return { add, written, ends };
}

test("values that come while a write is under way are written together, after it", async () => {
  const { add, written, ends } = startWriter();
  const first = add(1);
  await expect.poll(() => written).toEqual([[1]]);
  const others = [add(2), add(3)];
  let isOver = false;
  void others[1]?.then(() => (isOver = true));
  ends[0]?.done();
  await first;
  await expect.poll(() => written).toEqual([[1], [2, 3]]);
  expect(isOver).toBe(false);
  ends[1]?.done();
  await Promise.all(others);
});

test("a write that fails, fails for its own values alone", async () => {
  const { add, written, ends } = startWriter();
  const failing = add(1);
  await expect.poll(() => ends.length).toBe(1);
  const next = add(2);
  ends[0]?.fail(new Error("the database is gone"));
  await expect(failing).rejects.toThrow("the database is gone");
  await expect.poll(() => written).toEqual([[1], [2]]);
  ends[1]?.done();
  await expect(next).resolves.toBeUndefined();
});

test("a value that may wait is written with the next one, in their order, or when its time is over", async () => {
  const { add, written, ends } = startWriter();
  const first = add(1, 60_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(written).toEqual([]);
  const second = add(2);
  await expect.poll(() => written).toEqual([[1, 2]]);
  ends[0]?.done();
  await Promise.all([first, second]);
  const alone = add(3, 1);
  await expect.poll(() => written).toEqual([[1, 2], [3]]);
  ends[1]?.done();
  await alone;
});
