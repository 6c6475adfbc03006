import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { Habit, LibraryHabit } from "./habit.ts";

const HABITS: LibraryHabit<v.GenericSchema>[] = [
  {
    habit: "a default",
    schema: v.object({ type: v.optional(v.picklist(["png", "jpeg"]), "png"), n: v.nullish(v.number(), 1) }),
    accepted: [{}, { type: "jpeg", n: null }],
    refused: [{ type: "gif" }],
  },
  {
    habit: "unknown keys are stripped",
    schema: v.object({ a: v.string() }),
    accepted: [{ a: "x" }, { a: "x", b: 1 }],
    refused: [{}],
  },
  {
    habit: "unknown keys are refused",
    schema: v.strictObject({ a: v.string() }),
    accepted: [{ a: "x" }],
    refused: [{ a: "x", b: 1 }],
  },
  {
    habit: "dates and times",
    schema: v.object({
      minutes: v.optional(v.pipe(v.string(), v.isoDateTime())),
      stamp: v.optional(v.pipe(v.string(), v.isoTimestamp())),
      time: v.optional(v.pipe(v.string(), v.isoTime())),
      day: v.optional(v.pipe(v.string(), v.isoDate())),
    }),
    accepted: [
      { minutes: "2026-01-31T10:00" },
      { stamp: "2026-01-31T10:00:00.000Z" },
      { stamp: "2026-01-31 10:00:00+02" },
      { time: "10:00" },
      { day: "2026-01-31" },
    ],
    refused: [{ minutes: "soon" }, { time: "noon" }, { day: "31.1.2026" }],
  },
  {
    habit: "a discriminated union",
    schema: v.object({
      shape: v.variant("kind", [
        v.object({ kind: v.literal("circle"), r: v.optional(v.number(), 1) }),
        v.object({ kind: v.literal("square"), side: v.number() }),
      ]),
    }),
    accepted: [{ shape: { kind: "circle" } }, { shape: { kind: "square", side: 2 } }],
    refused: [{ shape: { kind: "square" } }, { shape: { kind: "line" } }],
  },
  {
    habit: "an intersection",
    schema: v.intersect([v.object({ a: v.string() }), v.object({ b: v.number() })]),
    accepted: [{ a: "x", b: 1 }],
    refused: [{ a: "x" }],
  },
  {
    habit: "tuples, records and bounds",
    schema: v.object({
      pair: v.strictTuple([v.string(), v.number()]),
      record: v.record(v.string(), v.number()),
      n: v.pipe(v.number(), v.integer(), v.minValue(1)),
    }),
    accepted: [{ pair: ["a", 1], record: { a: 1 }, n: 1 }],
    refused: [
      { pair: ["a", 1, 2], record: {}, n: 1 },
      { pair: ["a", 1], record: {}, n: 0 },
    ],
  },
];

export const VALIBOT: Habit[] = HABITS.flatMap(({ schema, habit, ...verdicts }) =>
  (["input", "output"] as const).map((typeMode) => ({
    ...verdicts,
    habit: `${habit} (${typeMode})`,
    printed: JSON.parse(JSON.stringify(toJsonSchema(schema, { typeMode, errorMode: "ignore" }))) as JsonValue,
    serverAccepts: (input: JsonValue) => v.safeParse(schema, input).success,
  })),
);
