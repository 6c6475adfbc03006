import { expect, test } from "vitest";
import { cleanSchema } from "../../schemas/json-schema/clean-schema.ts";
import { printShortly } from "../../templates/signature/print-shortly.ts";

test("a type that no form makes short enough is left out whole, unless it is less than twice as long", () => {
  const properties = { first: { type: "string", description: "Which" }, second: { type: "number" } };
  const clean = cleanSchema({ type: "object", properties }, "input");
  const print = (longest: number) => printShortly(clean, { direction: "input", context: "" }, longest).text;
  const whole = "{ /** Which */ first?: string; second?: number }";
  const short = "{ first?: string; second?: number }";
  const [least, half] = [short.length, Math.ceil(short.length / 2)];
  expect([whole.length, whole.length - 1, least, half, half - 1].map(print)).toEqual([
    ...[whole, short, short, short],
    "unknown /*…*/",
  ]);
});
