import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { Habit, LibraryHabit } from "./habit.ts";

const HABITS: LibraryHabit<TSchema>[] = [
  {
    habit: "a default of a required property",
    schema: Type.Object({ type: Type.String({ default: "png" }), n: Type.Optional(Type.Integer({ default: 1 })) }),
    accepted: [{}, { type: "a", n: 2 }],
    refused: [{ type: 1 }],
  },
  {
    habit: "null, literals and enumerations",
    schema: Type.Object({
      a: Type.Union([Type.String(), Type.Null()]),
      b: Type.Union([Type.Literal("x"), Type.Literal(1)]),
      c: Type.Enum({ One: "one", Two: 2 }),
    }),
    accepted: [
      { a: null, b: "x", c: "one" },
      { a: "a", b: 1, c: 2 },
    ],
    refused: [
      { a: 1, b: "x", c: "one" },
      { a: "a", b: "y", c: 2 },
    ],
  },
  {
    habit: "records and tuples",
    schema: Type.Object({
      record: Type.Record(Type.String(), Type.Number()),
      pair: Type.Tuple([Type.String(), Type.Number()]),
    }),
    accepted: [{ record: { a: 1 }, pair: ["a", 1] }],
    refused: [
      { record: { a: "1" }, pair: ["a", 1] },
      { record: {}, pair: ["a"] },
    ],
  },
  {
    habit: "a schema of itself, by its $id",
    schema: Type.Recursive((self) => Type.Object({ name: Type.String(), children: Type.Optional(Type.Array(self)) })),
    accepted: [{ name: "a", children: [{ name: "b" }] }],
    refused: [{ name: "a", children: [{}] }],
  },
  {
    habit: "an intersection with its end",
    schema: Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })], {
      unevaluatedProperties: false,
    }),
    accepted: [{ a: "x", b: 1 }],
    refused: [{ a: "x" }, { a: "x", b: 1, c: 1 }],
  },
  {
    habit: "templates",
    schema: Type.Object({ id: Type.TemplateLiteral("item-${string}"), not: Type.Optional(Type.Not(Type.String())) }),
    accepted: [{ id: "item-1" }, { id: "item-1", not: 1 }],
    refused: [{ id: "1" }, { id: "item-1", not: "a" }],
  },
  {
    habit: "types that JSON does not have",
    schema: Type.Object({ text: Type.String(), pattern: Type.Optional(Type.RegExp(/^a/i)) }),
    accepted: [{ text: "a" }, { text: "a", pattern: "Abc" }],
    refused: [{}],
  },
];

export const TYPEBOX: Habit[] = HABITS.map(({ schema, ...verdicts }) => ({
  ...verdicts,
  printed: JSON.parse(JSON.stringify(schema)) as JsonValue,
  serverAccepts: (input) => Value.Check(schema, Value.Default(schema, structuredClone(input)) as Static<TSchema>),
}));
