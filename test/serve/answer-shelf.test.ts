import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { makeAnswerShelf } from "../../serve/long-runs/long-runs.ts";
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
  return { shelf: makeAnswerShelf((id) => dropped.push(id), keptMs), dropped };
}

test("an answer is kept for ten minutes, or as long as is said, and the process need not wait for that", () => {
  for (const keptMs of [undefined, 5 * MINUTE]) {
    const { shelf, dropped } = start(keptMs);
    shelf.keep("a", answerOf("a"));
    vi.advanceTimersByTime((keptMs ?? 10 * MINUTE) - 1);
    expect(dropped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(dropped).toEqual(["a"]);
  }
});

test("an answer that was read takes no place of one that was not, and is kept as long after that", () => {
  const { shelf, dropped } = start();
  shelf.keep("unread", ofSize(MOST_BYTES / 2));
  for (let index = 0; index < 5; index += 1) {
    shelf.keep(`${index}`, ofSize(MOST_BYTES / 2));
    shelf.read(`${index}`);
    shelf.read(`${index}`);
  }
  shelf.read("none");
  // Of the read ones two fit.
  expect(dropped).toEqual(["0", "1", "2"]);
  vi.advanceTimersByTime(10 * MINUTE);
  expect(dropped.toSorted()).toEqual(["0", "1", "2", "3", "4", "unread"]);
});

test("sixteen answers are kept, also of runs that have failed, and the oldest goes first", () => {
  const { shelf, dropped } = start();
  for (let index = 0; index < 16; index += 1) shelf.keep(`${index}`, index % 2 === 0 ? undefined : answerOf("x"));
  expect(dropped).toEqual([]);
  shelf.keep("16");
  shelf.keep("17");
  expect(dropped).toEqual(["0", "1"]);
});

test("sixteen mebibytes are kept, and one answer of any size", () => {
  const { shelf, dropped } = start();
  shelf.keep("a", ofSize(MOST_BYTES / 2));
  shelf.keep("b", ofSize(MOST_BYTES / 2));
  expect(dropped).toEqual([]);
  shelf.keep("c");
  expect(dropped).toEqual([]);
  shelf.keep("d", ofSize(FRAME + 1));
  expect(dropped).toEqual(["a"]);
  shelf.keep("e", ofSize(2 * MOST_BYTES));
  expect(dropped).toEqual(["a", "b", "c", "d"]);
  shelf.keep("f", ofSize(MOST_BYTES));
  expect(dropped).toEqual(["a", "b", "c", "d", "e"]);
});
