import { expect, test } from "vitest";
import { describeBegin, describeState } from "../../schemas/run/describe-durable-run.ts";
import type { RunOverview } from "../../schemas/run/durable-run.ts";

/** In the time of this machine, as every time here. */
const NOON = new Date(2026, 10, 27, 12, 0, 5).getTime();

const aRun = (rest: Partial<RunOverview> = {}): RunOverview => ({
  ...{ id: "r", key: "k", script: "s.ts", begunAt: NOON, state: "waiting", calls: 2, questions: [], ...rest },
});

test.each([
  [999, "0 seconds"],
  [1000, "1 second"],
  [59_999, "59 seconds"],
  [60_000, "1 minute"],
  [7_199_999, "1 hour"],
  [86_400_000, "1 day"],
  [40 * 86_400_000, "40 days"],
  [-5000, "0 seconds"],
])("a wait of %d ms is one of %s", (lasts, said) => {
  const questions = [["a"], ["b"]];
  const run = aRun({ waitsSince: NOON, questions });
  expect(describeState(run, NOON + lasts)).toBe(`waits for a person (2 questions), ${said} so far`);
});

test("times are in the time zone of this machine", () => {
  expect(describeBegin(aRun())).toBe("begun 2026-11-27 12:00:05, 2 calls");
  expect(describeState(aRun({ wakeAt: NOON + 60_000 }), NOON)).toBe("waits until 2026-11-27 12:01:05");
  expect(describeState(aRun(), NOON)).toBe("waits");
});

test("a run that cannot be read is in the list", () => {
  const damaged = aRun({ state: "damaged", begunAt: 0, calls: 0 });
  expect([describeState(damaged, NOON), describeBegin(damaged)]).toEqual(["damaged", "it cannot be read"]);
});
