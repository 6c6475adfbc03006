import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { startSharedTimer } from "../../../runtime/mcp/client/pausable-timer.ts";

test("timers of one length end in the order of their starts, each after its time, and not when they are stopped", async () => {
  const startedAt = performance.now();
  const ends: [string, boolean][] = [];
  const start = (name: string): (() => void) => {
    const from = performance.now();
    return startSharedTimer(40, () => ends.push([name, performance.now() - from >= 39]));
  };
  start("first");
  const stop = start("stopped");
  await delay(20);
  start("second");
  stop();
  await delay(80);
  expect(ends).toEqual([
    ["first", true],
    ["second", true],
  ]);
  start("third");
  await delay(60);
  expect(ends).toHaveLength(3);
  expect(performance.now() - startedAt).toBeGreaterThan(150);
});

test("what ends a timer may start and stop others", async () => {
  const ends: string[] = [];
  startSharedTimer(10, () => {
    ends.push("outer");
    stop();
    startSharedTimer(10, () => ends.push("inner"));
  });
  const stop = startSharedTimer(10, () => ends.push("stopped"));
  await delay(50);
  expect(ends).toEqual(["outer", "inner"]);
});

test("a timer that was stopped keeps no process alive", () => {
  const started = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => started.mockRestore());
  const stops = Array.from({ length: 40 }, (_, index) => startSharedTimer(60_000 + index, () => undefined));
  const timers = started.mock.results.map(({ value }) => value as NodeJS.Timeout);
  expect(timers.map((timer) => timer.hasRef())).toEqual(Array.from({ length: 40 }, () => true));
  for (const stop of stops) stop();
  expect(timers.map((timer) => timer.hasRef())).toEqual(Array.from({ length: 40 }, () => false));
});
