import { expect, test, vi } from "vitest";
import { makeResultCache, MOST_BYTES } from "../../../serve/answers/result-cache.ts";

const MIB = 1024 * 1024;

test("a result is found by its id, in its session alone", () => {
  const cache = makeResultCache();
  const id = cache.keep("one", Buffer.from("[1]"), "number[]");
  expect([cache.of("one").read(id)?.toString(), cache.of("one").typeOf(id)]).toEqual(["[1]", "number[]"]);
  expect([cache.of("two").read(id), cache.of("two").typeOf(id)]).toEqual([undefined, undefined]);
  expect(makeResultCache().of("one").read(id)).toBeUndefined();
});

test("ids have 128 random bits", () => {
  const cache = makeResultCache();
  const ids = Array.from({ length: 100 }, () => cache.keep("", Buffer.from("1"), "number"));
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
});

test("many results in a row push out the oldest, by number and by bytes", () => {
  const cache = makeResultCache();
  const small = Array.from({ length: 20 }, () => cache.keep("", Buffer.from("1"), "number"));
  expect(small.map((id) => cache.of("").read(id) !== undefined)).toEqual([
    ...Array(4).fill(false),
    ...Array(16).fill(true),
  ]);
  const large = Array.from({ length: 10 }, () => cache.keep("", Buffer.alloc(20 * MIB), "string"));
  const kept = [...small, ...large].flatMap((id) => cache.of("").read(id) ?? []);
  expect(kept).toHaveLength(3);
  expect(kept.reduce((bytes, { length }) => bytes + length, 0)).toBeLessThanOrEqual(MOST_BYTES);
});

test("a result is forgotten after its time", () => {
  vi.useFakeTimers();
  try {
    const cache = makeResultCache();
    const id = cache.keep("", Buffer.from("1"), "number");
    vi.advanceTimersByTime(9 * 60_000);
    expect(cache.of("").read(id)).toBeDefined();
    vi.advanceTimersByTime(61_000);
    expect(cache.of("").read(id)).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
