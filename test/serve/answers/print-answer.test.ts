import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { printAnswer } from "../../../serve/answers/print-answer.ts";

const answer = (result: JsonValue) => ({ logs: [], result, diagnostics: [], toolTrace: [] });

test("a short answer is one line that begins with the diagnostics", () => {
  expect(printAnswer(answer([1, 2]))).toBe('{"diagnostics":[],"result":[1,2],"logs":[],"toolTrace":[]}');
});

test("of a long answer every item of a list stands on a line of its own, so that a reader of files can page", () => {
  const result = {
    rows: Array.from({ length: 100 }, (_, id) => ({ id, text: `row ${id} of the table`, tags: ["a"] })),
  };
  const text = printAnswer(answer(result));
  const lines = text.split("\n");
  expect(lines).toContain('{"id":99,"text":"row 99 of the table","tags":["a"]}');
  expect(lines.slice(0, 4)).toEqual(["{", '"diagnostics":[],', '"result":{', '"rows":[']);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(100);
  expect(JSON.parse(text)).toEqual(answer(result));
});

test("what is one line and what is several depends on the length of the line alone", () => {
  const long = fc.string({ minLength: 500, maxLength: 900 });
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      long,
      fc.constantFrom<JsonValue>(null, true, 1e21, -0.5, "\u0000".repeat(400)),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(value, (result) => {
      expect(printAnswer(answer(result))).toBe(printSlowly({ diagnostics: [], result, logs: [], toolTrace: [] }));
    }),
    { numRuns: 25 },
  );
});

/** The same, with every level printed to see how long it is. */
function printSlowly(value: JsonValue): string {
  const line = JSON.stringify(value);
  if (line.length <= 2048 || typeof value !== "object" || value === null) return line;
  if (Array.isArray(value)) return `[\n${value.map(printSlowly).join(",\n")}\n]`;
  return `{\n${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${printSlowly(member)}`)
    .join(",\n")}\n}`;
}
