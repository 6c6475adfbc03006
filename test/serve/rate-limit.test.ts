import { expect, test } from "vitest";
import { makeRateLimiter } from "../../serve/admission/rate-limit.ts";

/** A limiter with a clock that advances on request only. */
function openLimiter(runsPerMinute: number) {
  let now = 0;
  const limiter = makeRateLimiter({ runsPerMinute }, () => now);
  return { take: limiter.take, pass: (seconds: number) => (now += seconds * 1000) };
}

test("a client may use its runs at once, and then learns when the next one is available", () => {
  const { take, pass } = openLimiter(6);
  expect([1, 2, 3, 4, 5, 6, 7].map(() => take("a"))).toEqual([0, 0, 0, 0, 0, 0, 10]);
  pass(7);
  expect(take("a")).toBe(3);
  pass(3);
  expect([take("a"), take("a")]).toEqual([0, 10]);
});

test("a client that waits long has no more than its runs of a minute", () => {
  const { take, pass } = openLimiter(2);
  void take("a");
  pass(3600);
  expect([take("a"), take("a"), take("a")]).toEqual([0, 0, 30]);
});

test("each client has runs of its own", () => {
  const { take } = openLimiter(1);
  expect([take("a"), take("b"), take("a")]).toEqual([0, 0, 60]);
});

test("however many clients come, one that has used up its runs is not forgotten", () => {
  const { take, pass } = openLimiter(1);
  for (let index = 0; index < 1200; index += 1) {
    void take(`client ${index}`);
    pass(0.01);
  }
  expect([take("client 0"), take("client 1199")]).toEqual([48, 60]);
});

test("clients that have used up their runs are not looked through at each request", () => {
  let questions = 0;
  const { take } = makeRateLimiter({ runsPerMinute: 1 }, () => {
    questions += 1;
    return 0;
  });
  for (let index = 0; index < 4000; index += 1) void take(`client ${index}`);
  expect(questions).toBeLessThan(20_000);
});

test("without a limit no client waits", () => {
  const { take } = makeRateLimiter(undefined);
  expect(Array.from({ length: 1000 }, () => take("a"))).toEqual(Array.from({ length: 1000 }, () => 0));
});
