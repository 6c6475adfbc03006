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
