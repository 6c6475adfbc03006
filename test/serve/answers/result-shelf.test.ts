import { expect, test, vi } from "vitest";
import { makeResultShelf, MOST_BYTES } from "../../../serve/answers/result-shelf.ts";

const MIB = 1024 * 1024;

test("a result is found by its id, in its session alone", () => {
  const shelf = makeResultShelf();
  const id = shelf.keep("one", Buffer.from("[1]"), "number[]");
  expect([shelf.of("one").read(id)?.toString(), shelf.of("one").typeOf(id)]).toEqual(["[1]", "number[]"]);
  expect([shelf.of("two").read(id), shelf.of("two").typeOf(id)]).toEqual([undefined, undefined]);
  expect(makeResultShelf().of("one").read(id)).toBeUndefined();
});

test("ids have 128 random bits", () => {
  const shelf = makeResultShelf();
  const ids = Array.from({ length: 100 }, () => shelf.keep("", Buffer.from("1"), "number"));
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
});

test("many results in a row push out the oldest, by number and by bytes", () => {
  const shelf = makeResultShelf();
  const small = Array.from({ length: 20 }, () => shelf.keep("", Buffer.from("1"), "number"));
  expect(small.map((id) => shelf.of("").read(id) !== undefined)).toEqual([
    ...Array(4).fill(false),
    ...Array(16).fill(true),
  ]);
  const large = Array.from({ length: 10 }, () => shelf.keep("", Buffer.alloc(20 * MIB), "string"));
  const kept = [...small, ...large].flatMap((id) => shelf.of("").read(id) ?? []);
  expect(kept).toHaveLength(3);
  expect(kept.reduce((bytes, { length }) => bytes + length, 0)).toBeLessThanOrEqual(MOST_BYTES);
});

test("a result is forgotten after its time", () => {
  vi.useFakeTimers();
  try {
    const shelf = makeResultShelf();
    const id = shelf.keep("", Buffer.from("1"), "number");
    vi.advanceTimersByTime(9 * 60_000);
    expect(shelf.of("").read(id)).toBeDefined();
    vi.advanceTimersByTime(61_000);
    expect(shelf.of("").read(id)).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
