import { expect, test } from "vitest";
import { DIAGNOSTIC_CODES } from "../../schemas/run/answer.ts";
import { isRunKey } from "../../schemas/run/run-key.ts";

test.each(["a", "job-17", "orders/2026-11-22:0001", "a.b_c", "x".repeat(128)])("%j is a key", (text) => {
  expect(isRunKey(text)).toBe(true);
});

test.each(["", "x".repeat(129), "a b", "a\n", "\u001b[31m", "é", '"', "a'; drop table", "a\u202eb", "${KEY}"])(
  "%j is none",
  (text) => {
    expect(isRunKey(text)).toBe(false);
  },
);

test("a run that is lost may have called tools, so it is not repeated without a look", () => {
  expect(DIAGNOSTIC_CODES.RUN_LOST).toBe("fix");
});
