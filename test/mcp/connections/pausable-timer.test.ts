import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startPausableTimer } from "../../../runtime/mcp/client/pausable-timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(milliseconds: number) {
  const ends: number[] = [];
  const limit = startPausableTimer(milliseconds, () => ends.push(performance.now()));
  return { limit, ends };
}

test("a limit ends once, after its time", () => {
  const { ends } = start(40);
  vi.advanceTimersByTime(39);
  expect(ends).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(ends).toHaveLength(1);
});

test("its time stands still until the last of those who hold it lets go", () => {
  const { limit, ends } = start(40);
  vi.advanceTimersByTime(30);
  const [first, second] = [limit.hold(), limit.hold()];
  vi.advanceTimersByTime(100);
  first();
  first();
  vi.advanceTimersByTime(100);
  expect([limit.spentMs(), ends]).toEqual([30, []]);
  second();
  vi.advanceTimersByTime(9);
  expect([limit.spentMs(), ends]).toEqual([39, []]);
  vi.advanceTimersByTime(1);
  expect(ends).toHaveLength(1);
  limit.hold()();
  vi.advanceTimersByTime(100);
  expect(ends).toHaveLength(1);
});

test("it gets so much time from now on where it is started again, also while it is held", () => {
  const { limit, ends } = start(40);
  vi.advanceTimersByTime(30);
  limit.restart(40);
  vi.advanceTimersByTime(39);
  const release = limit.hold();
  limit.restart(50);
  vi.advanceTimersByTime(100);
  release();
  vi.advanceTimersByTime(49);
  expect(ends).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ends).toHaveLength(1);
  limit.restart(10);
  vi.advanceTimersByTime(100);
  expect(ends).toHaveLength(1);
});

test("one that was stopped never ends, and no timer is left of it", () => {
  const { limit, ends } = start(40);
  const release = limit.hold();
  limit.stop();
  release();
  const other = start(2 ** 40);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1000);
  expect([ends, other.ends]).toEqual([[], []]);
  other.limit.stop();
  expect(vi.getTimerCount()).toBe(0);
});
