import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { describeOutOfRange } from "../../schemas/numbers.ts";

interface NumberSchema {
  type?: string;
  minimum?: number;
  maximum?: number;
}

test("the schema of the configuration bounds each number", async () => {
  const open: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    const { type, minimum, maximum } = value as NumberSchema;
    if (/^(?:integer|number)$/.test(String(type)) && (minimum === undefined || maximum === undefined)) open.push(path);
    for (const [name, member] of Object.entries(value)) visit(member, `${path}/${name}`);
  };
  visit(JSON.parse(await readFile("schemas/config.schema.json", "utf8")), "");
  expect(open).toEqual([]);
});

test.each([0, -1, 1.5, Number.NaN, Infinity, 86_400_001, 2 ** 53, "5", null, {}])("%s is out of range", (value) => {
  expect(describeOutOfRange("timeoutMs", value)).toBe("it must be a whole number from 1 to 86400000 (milliseconds)");
});

test.each([1, 30_000, 86_400_000])("%s is in range", (value) => {
  expect(describeOutOfRange("timeoutMs", value)).toBeUndefined();
});
