import { zodToJsonSchema } from "zod-to-json-schema";
import { z } from "zod/v3";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { Habit, LibraryHabit } from "./habit.ts";

interface Tree {
  name: string;
  children?: Tree[] | undefined;
}
const tree: z.ZodType<Tree> = z.object({ name: z.string(), children: z.array(z.lazy(() => tree)).optional() });
const level = z.enum(["low", "high"]);

const HABITS: LibraryHabit<z.ZodTypeAny>[] = [
  {
    habit: "a default",
    schema: z.object({ type: z.enum(["png", "jpeg"]).default("png"), n: z.number().default(1).optional() }),
    accepted: [{}, { type: "jpeg", n: 2 }],
    refused: [{ type: null }],
  },
  {
    habit: "a default beside a reference",
    schema: z.object({ one: level, two: level.default("low") }),
    accepted: [{ one: "low" }, { one: "low", two: "high" }],
    refused: [{ two: "low" }, { one: "low", two: "none" }],
  },
  {
    // The server drops what it does not know. A script that sends such a key has misspelt one.
    habit: "unknown keys are stripped",
    schema: z.object({ a: z.string() }),
    accepted: [{ a: "x" }],
    refused: [{}],
    excluded: [{ a: "x", b: 1 }],
  },
  {
    habit: "unknown keys are kept",
    schema: z.object({ a: z.string() }).passthrough(),
    accepted: [{ a: "x", b: 1 }],
    refused: [{}],
  },
  {
    habit: "unknown keys have a type",
    schema: z.object({ a: z.string() }).catchall(z.number()),
    accepted: [{ a: "x", b: 1 }],
    refused: [{ a: "x", b: "1" }],
  },
  {
    habit: "an intersection of objects",
    schema: z.object({ a: z.string() }).and(z.object({ b: z.number().default(1) })),
    accepted: [{ a: "x" }, { a: "x", b: 2 }],
    refused: [{ b: 2 }],
  },
  {
    habit: "null beside a type",
    schema: z.object({
      text: z.string().nullable(),
      kind: z.enum(["a"]).nullable(),
      one: level,
      two: level.nullable(),
      object: z.object({ a: z.string() }).nullish(),
    }),
    accepted: [
      { text: null, kind: null, one: "low", two: null, object: null },
      { text: "x", kind: "a", one: "low", two: "low" },
    ],
    refused: [{ text: "x", kind: "b", one: "low", two: null }],
  },
  {
    habit: "what may be undefined",
    schema: z.object({
      a: z.union([z.string(), z.undefined()]),
      b: z.union([z.number(), z.string().optional()]),
      never: z.never().optional(),
    }),
    accepted: [{}, { a: "x", b: "y" }],
    refused: [{ a: 1 }, { b: true }, { never: 1 }],
  },
  {
    habit: "formats of texts",
    schema: z.object({
      url: z.string().url().optional(),
      email: z.string().email().optional(),
      uuid: z.string().uuid().optional(),
      when: z.string().datetime({ local: true }).optional(),
      time: z.string().time().optional(),
      day: z.string().date().optional(),
      ip: z.string().ip().optional(),
      start: z.string().startsWith("a.b").min(3).optional(),
    }),
    accepted: [
      { url: "https://example.com/a b" },
      { email: "a+b@example.com" },
      { uuid: "6fa459ea-ee8a-4ca4-894e-db77e160355e" },
      { when: "2026-01-31T10:00:00" },
      { time: "10:00:59.5" },
      { day: "2026-01-31" },
      { ip: "2001:db8::1" },
      { start: "a.b.c" },
    ],
    refused: [{ url: "example" }, { email: "x" }, { uuid: "1" }, { when: "soon" }, { start: "aXb" }],
  },
  {
    habit: "dates that the server converts",
    schema: z.object({ when: z.coerce.date(), until: z.coerce.date().min(new Date(0)).optional() }),
    accepted: [{ when: "2026-01-31" }, { when: "2026-01-31T10:00:00Z" }, { when: "2026-01-31 10:00" }],
    refused: [{ when: "soon" }],
    excluded: [{ when: "Jan 31, 2026" }, { when: 0 }],
  },
  {
    habit: "bounds of numbers",
    schema: z.object({
      int: z.number().int().positive().optional(),
      safe: z.number().safe().optional(),
      price: z.number().multipleOf(0.01).optional(),
      big: z.coerce.bigint().optional(),
    }),
    accepted: [{ int: 1 }, { safe: -9007199254740991 }, { price: 19.99 }, { price: 0.07 }, { big: 5 }],
    refused: [{ int: 0 }, { int: 1.5 }, { price: 0.005 }],
  },
  {
    habit: "a discriminated union",
    schema: z.object({
      shape: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("circle"), r: z.number().default(1) }),
        z.object({ kind: z.literal("square"), side: z.number() }),
      ]),
    }),
    accepted: [{ shape: { kind: "circle" } }, { shape: { kind: "square", side: 2 } }],
    refused: [{ shape: { kind: "square" } }, { shape: { kind: "line" } }],
  },
  {
    habit: "literals, tuples and records",
    schema: z.object({
      one: z.union([z.literal("a"), z.literal(1), z.null()]),
      pair: z.tuple([z.string(), z.number()]).rest(z.boolean()),
      record: z.record(z.number()),
      native: z.nativeEnum({ A: "a", B: 2 } as const),
    }),
    accepted: [{ one: null, pair: ["a", 1, true], record: { a: 1 }, native: 2 }],
    refused: [
      { one: 2, pair: ["a", 1], record: {}, native: 2 },
      { one: 1, pair: ["a", 1], record: { a: "1" }, native: "a" },
    ],
  },
  {
    habit: "a schema of itself",
    schema: z.object({ root: tree, other: tree.optional() }),
    accepted: [{ root: { name: "a", children: [{ name: "b" }] }, other: { name: "c" } }],
    refused: [{ root: { name: "a", children: [{}] } }],
  },
  {
    habit: "values that the server converts or changes",
    schema: z.object({
      n: z.coerce.number(),
      flag: z.preprocess((value) => value === "true" || value, z.boolean()),
      list: z.string().transform((text) => text.split(",")),
      even: z.number().refine((value) => value % 2 === 0),
    }),
    accepted: [{ n: 1, flag: true, list: "a,b", even: 2 }],
    refused: [{ n: 1, flag: 2, list: "a", even: 2 }],
    excluded: [{ n: "1", flag: "true", list: "a", even: 2 }],
  },
  {
    habit: "patterns without their flags",
    schema: z.object({ code: z.string().regex(/^[a-z]+$/i) }),
    accepted: [{ code: "abc" }],
    refused: [{ code: "1" }],
    excluded: [{ code: "ABC" }],
  },
];

/** As the MCP SDK prints, as the library does by itself, and for OpenAPI 3.0. */
export const ZOD_3: Habit[] = HABITS.flatMap(({ schema, habit, ...verdicts }) => {
  const serverAccepts = (input: JsonValue): boolean => schema.safeParse(input).success;
  const printings = {
    SDK: zodToJsonSchema(schema, { strictUnions: true, pipeStrategy: "input" }),
    default: zodToJsonSchema(schema),
    "OpenAPI 3.0": zodToJsonSchema(schema, { target: "openApi3", basePath: ["#"] }),
  };
  return Object.entries(printings).map(([name, printed]) => ({
    ...verdicts,
    habit: `${habit} (${name})`,
    printed: JSON.parse(JSON.stringify(printed)) as JsonValue,
    serverAccepts,
  }));
});
