import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Awake, stayAwake } from "../../../runtime/sandbox/pool/stay-awake.ts";

/** How often the event loop has been asked to turn once more. */
const turns = () => vi.getTimerCount();

let nowMs = 0;

beforeEach(() => {
  nowMs = 1_000;
  vi.useFakeTimers({ toFake: ["setImmediate"] });
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** One turn of the event loop, so much later. */
function turn(afterMs = 0): void {
  nowMs += afterMs;
  vi.runOnlyPendingTimers();
}

/** After a first reply, which many scripts have no other than. */
function stayAwakeLater(isUseful = true): Awake {
  const awake = stayAwake(isUseful);
  awake.replied();
  expect(turns()).toBe(0);
  awake.heard();
  return awake;
}

describe("after a further reply the event loop turns", () => {
  test("until the script is heard", () => {
    const awake = stayAwakeLater();
    awake.replied();
    for (let count = 0; count < 5; count += 1) turn();
    expect(turns()).toBe(1);
    awake.heard();
    turn();
    expect(turns()).toBe(0);
  });

  test("for a moment at the longest", () => {
    const awake = stayAwakeLater();
    awake.replied();
    turn(0.05);
    expect(turns()).toBe(1);
    turn(0.06);
    expect(turns()).toBe(0);
  });

  test("once, however many replies there are", () => {
    const awake = stayAwakeLater();
    for (let count = 0; count < 5; count += 1) awake.replied();
    expect(turns()).toBe(1);
  });

  test("not on a machine with one processor, which the script needs", () => {
    stayAwakeLater(false).replied();
    expect(turns()).toBe(0);
  });
});

test("a script that takes longer keeps it awake ever more seldom, with up to 64 replies left out, until it is heard in time", () => {
  const awake = stayAwakeLater();
  const countUntilAwake = (): number => {
    for (let replies = 1; ; replies += 1) {
      awake.replied();
      if (turns() > 0) return replies;
      awake.heard();
    }
  };
  const waits: number[] = [];
  for (let count = 0; count < 8; count += 1) {
    waits.push(countUntilAwake());
    turn(1);
    awake.heard();
  }
  expect(waits).toEqual([1, 3, 5, 9, 17, 33, 65, 65]);

  expect(countUntilAwake()).toBe(65);
  awake.heard();
  turn();
  expect(countUntilAwake()).toBe(1);
});
