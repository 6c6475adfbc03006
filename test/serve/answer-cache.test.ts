import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { makeAnswerCache } from "../../serve/long-runs/answer-cache.ts";
import { answerOf } from "./make-runs.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
});

const MINUTE = 60_000;
const MOST_BYTES = 16 * 1024 * 1024;
/** What an answer takes beside its text. */
const FRAME = JSON.stringify(answerOf("")).length;
const ofSize = (bytes: number) => answerOf("x".repeat(bytes - FRAME));

function start(keptMs?: number) {
  const dropped: string[] = [];
  return { cache: makeAnswerCache((id) => dropped.push(id), keptMs), dropped };
}

test("an answer is kept for ten minutes, or as long as is said, and the process need not wait for that", () => {
  for (const keptMs of [undefined, 5 * MINUTE]) {
    const { cache, dropped } = start(keptMs);
    cache.keep("a", answerOf("a"));
    vi.advanceTimersByTime((keptMs ?? 10 * MINUTE) - 1);
    expect(dropped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(dropped).toEqual(["a"]);
  }
});

test("an answer that was read takes no place of one that was not, and is kept as long after that", () => {
  const { cache, dropped } = start();
  cache.keep("unread", ofSize(MOST_BYTES / 2));
  for (let index = 0; index < 5; index += 1) {
    cache.keep(`${index}`, ofSize(MOST_BYTES / 2));
    cache.read(`${index}`);
    cache.read(`${index}`);
  }
  cache.read("none");
  // Of the read ones two fit.
  expect(dropped).toEqual(["0", "1", "2"]);
  vi.advanceTimersByTime(10 * MINUTE);
  expect(dropped.toSorted()).toEqual(["0", "1", "2", "3", "4", "unread"]);
});

test("sixteen answers are kept, also of runs that have failed, and the oldest goes first", () => {
  const { cache, dropped } = start();
  for (let index = 0; index < 16; index += 1) cache.keep(`${index}`, index % 2 === 0 ? undefined : answerOf("x"));
  expect(dropped).toEqual([]);
  cache.keep("16");
  cache.keep("17");
  expect(dropped).toEqual(["0", "1"]);
});

test("sixteen mebibytes are kept, and one answer of any size", () => {
  const { cache, dropped } = start();
  cache.keep("a", ofSize(MOST_BYTES / 2));
  cache.keep("b", ofSize(MOST_BYTES / 2));
  expect(dropped).toEqual([]);
  cache.keep("c");
  expect(dropped).toEqual([]);
  cache.keep("d", ofSize(FRAME + 1));
  expect(dropped).toEqual(["a"]);
  cache.keep("e", ofSize(2 * MOST_BYTES));
  expect(dropped).toEqual(["a", "b", "c", "d"]);
  cache.keep("f", ofSize(MOST_BYTES));
  expect(dropped).toEqual(["a", "b", "c", "d", "e"]);
});
