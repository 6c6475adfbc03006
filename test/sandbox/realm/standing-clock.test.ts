import { expect, test } from "vitest";
import { makeStandingClock } from "../../../runtime/sandbox/realm/replayable/standing-clock.ts";

test("the clock stands until it is moved or a script has looked at it a thousand times, and never goes back", () => {
  const clock = makeStandingClock(5000);
  const looks = Array.from({ length: 2500 }, () => clock.now());
  expect([0, 998, 999, 1998, 1999, 2499].map((at) => looks[at])).toEqual([5000, 5000, 5001, 5001, 5002, 5002]);
  clock.moveTo(5001);
  expect(clock.peek()).toBe(5002);
  clock.moveTo(6000);
  expect([clock.peek(), clock.now()]).toEqual([6000, 6000]);
});
