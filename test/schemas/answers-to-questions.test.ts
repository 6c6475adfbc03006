import { expect, test } from "vitest";
import { type QuestionField, cleanAnswer, fits } from "../../schemas/run/question.ts";
import type { JsonValue } from "../../schemas/json/json.ts";

type Kind<Name extends QuestionField["kind"]> = Partial<QuestionField & { kind: Name }>;
const fieldOf = (kind: QuestionField["kind"], more: object = {}): QuestionField =>
  ({ kind, name: "f", title: "F", isRequired: false, ...more }) as QuestionField;
const CHOICES = [{ value: "a" }, { value: "b" }, { value: "c" }].map((choice) => ({ ...choice, title: choice.value }));

test.each<[field: QuestionField, right: JsonValue[], wrong: JsonValue[]]>([
  [fieldOf("boolean"), [true, false], ["true", 0, null]],
  [fieldOf("number"), [0, -1.5, 1e9], ["1", true, null]],
  [fieldOf("integer"), [0, -3], [1.5, "1"]],
  [fieldOf("number", { minimum: 1, maximum: 2 } satisfies Kind<"number">), [1, 1.5, 2], [0.9, 2.1]],
  [fieldOf("text"), ["", "x", "x".repeat(100_000)], ["x".repeat(100_001), 1, ["x"]]],
  [fieldOf("text", { minLength: 2, maxLength: 3 } satisfies Kind<"text">), ["ab", "abc"], ["a", "abcd"]],
  [
    fieldOf("text", { format: "email" } satisfies Kind<"text">),
    ["a@b"],
    ["a", "@b", "a@", "a b@c", "a@b c", "a@b@c", "a@b "],
  ],
  [
    fieldOf("text", { format: "uri" } satisfies Kind<"text">),
    ["HTTPS://a", "a+b:c", "x:y"],
    ["1a:b", "a:", "a: b", " a:b", "a:b c"],
  ],
  [
    fieldOf("text", { format: "date" } satisfies Kind<"text">),
    ["2026-11-23"],
    ["2026-13-01", "26-11-23", "2026-11-2", "2026-11-233", "x2026-11-23"],
  ],
  [
    fieldOf("text", { format: "date-time" } satisfies Kind<"text">),
    ["2026-11-23T10:00:00Z", "2026-11-23t10:00:00Z", "2026-11-23 10:00"],
    ["2026-11-23", "2026-11-23T", "2026-11-23Tnoon", "on 2026-11-23T10:00:00Z"],
  ],
  [fieldOf("choice", { choices: CHOICES }), ["a", "c"], ["d", 1, ["a"]]],
  [fieldOf("choices", { choices: CHOICES }), [[], ["a"], ["c", "a", "b"]], ["a", ["a", "a"], ["a", "d"], [1]]],
  [fieldOf("choices", { choices: CHOICES, minItems: 1, maxItems: 2 }), [["a"], ["b", "c"]], [[], ["a", "b", "c"]]],
])("a value fits a field or not: %j", (field, right, wrong) => {
  expect(right.filter((value) => !fits(value, field))).toEqual([]);
  expect(wrong.filter((value) => fits(value, field))).toEqual([]);
});

test("an answer holds what was asked: presets stand for what was left out, and what is required must be there", () => {
  const fields = [
    fieldOf("text", { name: "name", isRequired: true }),
    fieldOf("integer", { name: "count", preset: 3 }),
    fieldOf("choices", { name: "tags", choices: CHOICES, preset: ["a"] }),
    fieldOf("text", { name: "note" }),
  ];
  expect(cleanAnswer({ name: "x", other: 1 }, fields)).toEqual({ name: "x", count: 3, tags: ["a"] });
  expect(cleanAnswer({ name: "x", count: 4, tags: [], note: "" }, fields)).toEqual({ name: "x", count: 4, tags: [] });
  expect(cleanAnswer({ name: "", note: "n" }, fields)).toEqual({ name: "", count: 3, tags: ["a"], note: "n" });
  expect(cleanAnswer({ count: 4 }, fields)).toBeUndefined();
  expect(cleanAnswer({ name: "x", count: "4" }, fields)).toBeUndefined();
  expect(cleanAnswer({}, [])).toEqual({});
});
