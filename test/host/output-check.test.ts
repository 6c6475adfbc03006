import { expect, test } from "vitest";
import { makeOutputCheck } from "../../runtime/host/checks/output-check.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import { lockedServer } from "../templates/lockfile-of.ts";

const forecast: JsonValue = {
  type: "object",
  properties: { days: { type: "array", items: { type: "object", properties: { "°C": { type: "number" } } } } },
  required: ["days"],
};

function lock(outputSchema: JsonValue): LockedTool {
  return lockedServer("weather", [{ name: "forecast", outputSchema }]).tools[0] as LockedTool;
}

const check = makeOutputCheck();
const text = (words: string): JsonObject => ({ content: [{ type: "text", text: words }] });

test.each<[name: string, result: JsonObject, mismatch: string | undefined]>([
  ["what the schema says", { content: [], structuredContent: { days: [{ "°C": 4 }] } }, undefined],
  [
    "another type deep inside",
    { content: [], structuredContent: { days: [{ "°C": 4 }, { "°C": "cold" }] } },
    '"/days/1/°C" should be number, received "cold"',
  ],
  ["a part missing", { content: [], structuredContent: {} }, '"/days" should be present, received nothing'],
  ["another root", { content: [], structuredContent: [] }, "it should be object, received an array of 0"],
  ["text alone", text("sunny"), "it has no structuredContent"],
])("a result with %s", (_, result, mismatch) => {
  expect(check(lock(forecast), result)).toBe(mismatch);
});

test("a schema of the configuration is about what the binding returns, structured or not", () => {
  const overridden = (outputSchema: JsonValue): LockedTool => ({
    ...lock(outputSchema),
    outputSchemaFrom: "configuration",
  });
  expect(check(overridden({ type: "string", maxLength: 5 }), text("sunny"))).toBeUndefined();
  const other = makeOutputCheck();
  expect(other(overridden({ type: "string", maxLength: 5 }), { content: [], structuredContent: 4 })).toBe(
    "it should be string, received 4",
  );
});

test("a tool without an output schema may answer anything", () => {
  const [tool] = lockedServer("weather", [{ name: "forecast" }]).tools as [LockedTool];
  expect(check(tool, text("sunny"))).toBeUndefined();
});

test("a schema that is none accepts everything, and a value as deep as the stack is a mismatch, not a crash", () => {
  expect(check(lock(5), { structuredContent: 1 })).toBeUndefined();
  let deep: JsonValue = {};
  for (let depth = 0; depth < 50_000; depth += 1) deep = { a: deep };
  const tree = { type: "object", properties: { a: { $ref: "#" } } };
  expect(check(lock(tree), { structuredContent: deep })).toBe("it is nested too deep to be checked");
});

test("a large value that a schema compares at each of its levels is not compared for ever", () => {
  const nested = { type: "array", uniqueItems: true, items: { anyOf: [{ $ref: "#" }, { type: "string" }] } };
  let deep: JsonValue = "x".repeat(1_000_000);
  for (let depth = 0; depth < 100; depth += 1) deep = [deep, "y"];
  expect(check(lock(nested), { structuredContent: deep })).toMatch(/^it should be smaller: .* takes too many steps/);
  expect(check(lock(nested), { structuredContent: [["a", "b"], "c"] })).toBeUndefined();
});
