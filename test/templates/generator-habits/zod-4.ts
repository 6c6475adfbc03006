import { z } from "zod/v4";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { Habit, LibraryHabit } from "./habit.ts";

const object = (shape: z.ZodRawShape): z.ZodObject => z.object(shape);

const HABITS: (LibraryHabit<z.ZodType> & { modes?: ("input" | "output")[] })[] = [
  {
    habit: "a default",
    schema: object({ type: z.enum(["png", "jpeg"]).default("png"), path: z.string().optional() }),
    accepted: [{}, { type: "jpeg" }, { path: "a" }],
    refused: [{ type: "gif" }, { type: null }],
  },
  {
    habit: "a default deep inside",
    schema: object({ items: z.array(object({ unit: z.string().default("m"), n: z.number() })) }),
    accepted: [{ items: [] }, { items: [{ n: 1 }] }],
    refused: [{}, { items: [{ unit: "m" }] }],
  },
  {
    habit: "a default within null",
    schema: object({ type: z.string().default("png").nullable() }),
    accepted: [{}, { type: null }],
    refused: [{ type: 1 }],
  },
  {
    habit: "a default that is null",
    schema: object({ type: z.string().nullable().default(null) }),
    accepted: [{}, { type: null }, { type: "a" }],
  },
  {
    habit: "a default of a union's member",
    schema: object({ size: z.union([z.number(), z.string().default("L")]) }),
    accepted: [{}, { size: 1 }, { size: "S" }],
    refused: [{ size: true }],
  },
  {
    habit: "a default of a named schema",
    schema: object({
      level: z.enum(["low", "high"]).default("low").meta({ id: "Level" }),
    }),
    accepted: [{}, { level: "high" }],
    refused: [{ level: "none" }],
  },
  {
    habit: "a value for what cannot be read",
    schema: object({ type: z.enum(["png", "jpeg"]).catch("png") }),
    accepted: [{}, { type: "png" }],
    excluded: [{ type: "gif" }],
  },
  {
    habit: "unknown keys are stripped, and not mentioned",
    modes: ["input"],
    schema: object({ a: z.string() }),
    accepted: [{ a: "x" }, { a: "x", b: 1 }],
    refused: [{}],
  },
  {
    // The server drops what it does not know. A script that sends such a key has misspelt one.
    habit: "unknown keys are stripped, and excluded",
    modes: ["output"],
    schema: object({ a: z.string() }),
    accepted: [{ a: "x" }],
    refused: [{}],
    excluded: [{ a: "x", b: 1 }],
  },
  {
    habit: "unknown keys are refused",
    schema: z.strictObject({ a: z.string() }),
    accepted: [{ a: "x" }],
    refused: [{ a: "x", b: 1 }],
  },
  {
    habit: "unknown keys are kept",
    schema: z.looseObject({ a: z.string() }),
    accepted: [{ a: "x", b: 1 }],
    refused: [{ b: 1 }],
  },
  {
    habit: "an intersection of objects",
    schema: object({ a: z.string() }).and(object({ b: z.number().default(1) })),
    accepted: [{ a: "x" }, { a: "x", b: 2 }],
    refused: [{ b: 2 }, { a: "x", b: "2" }],
  },
  {
    habit: "null beside a type",
    schema: object({ text: z.string().nullable(), kind: z.enum(["a"]).nullable(), n: z.number().nullish() }),
    accepted: [
      { text: null, kind: null },
      { text: "a", kind: "a", n: null },
    ],
    refused: [{ text: "a" }, { text: 1, kind: null }],
  },
  {
    habit: "dates and times",
    schema: object({
      local: z.iso.datetime({ local: true }).optional(),
      offset: z.iso.datetime({ offset: true }).optional(),
      minutes: z.iso.datetime({ precision: -1, local: true }).optional(),
      time: z.iso.time().optional(),
      date: z.iso.date().optional(),
    }),
    accepted: [
      { local: "2026-01-31T10:00:00" },
      { local: "2026-01-31T10:00" },
      { offset: "2026-01-31T10:00:00.5+02:00" },
      { minutes: "2026-01-31T10:00" },
      { time: "10:00" },
      { time: "10:00:59.123" },
      { date: "2028-02-29" },
    ],
    refused: [{ local: "yesterday" }, { time: "noon" }, { date: "31.1.2026" }],
  },
  {
    habit: "formats of texts",
    schema: object({
      url: z.url().optional(),
      email: z.email().optional(),
      uuid: z.uuid().optional(),
      guid: z.guid().optional(),
      ip: z.ipv4().optional(),
      network: z.cidrv4().optional(),
      data: z.base64().optional(),
      token: z.jwt().optional(),
      mark: z.emoji().optional(),
    }),
    accepted: [
      { url: "https://example.com/a b" },
      { url: "mailto:" },
      { email: "a+b@example.com" },
      { uuid: "6fa459ea-ee8a-4ca4-894e-db77e160355e" },
      { guid: "00000000-0000-0000-0000-00000000000F" },
      { ip: "192.0.2.1" },
      { network: "192.0.2.0/24" },
      { data: "aGVsbG8=" },
      { mark: "🙂" },
    ],
    refused: [{ url: "example" }, { email: "example.com" }, { uuid: "1" }, { ip: "192.0.2.256" }],
  },
  {
    habit: "bounds of numbers",
    schema: object({
      int: z.int().optional(),
      int32: z.int32().optional(),
      float: z.float32().optional(),
      positive: z.number().positive().optional(),
      price: z.number().multipleOf(0.01).optional(),
    }),
    accepted: [
      { int: -9007199254740991 },
      { int32: 2147483647 },
      { float: 1e38 },
      { positive: 1e-9 },
      { price: 19.99 },
      { price: 0.07 },
    ],
    refused: [{ int: 0.5 }, { int32: 2147483648 }, { positive: 0 }, { price: 0.005 }],
  },
  {
    habit: "literals",
    schema: object({ one: z.literal([1, "a", null, true]), nothing: z.null() }),
    accepted: [
      { one: null, nothing: null },
      { one: "a", nothing: null },
    ],
    refused: [{ one: 2, nothing: null }, { one: 1 }],
  },
  {
    habit: "a discriminated union",
    schema: object({
      shape: z.discriminatedUnion("kind", [
        object({ kind: z.literal("circle"), r: z.number().default(1) }),
        object({ kind: z.literal("square"), side: z.number() }),
      ]),
    }),
    accepted: [{ shape: { kind: "circle" } }, { shape: { kind: "square", side: 2 } }],
    refused: [{ shape: { kind: "square" } }, { shape: { kind: "line" } }],
  },
  {
    habit: "tuples",
    schema: object({ pair: z.tuple([z.string(), z.number()]), open: z.tuple([z.string()], z.number()).optional() }),
    accepted: [{ pair: ["a", 1] }, { pair: ["a", 1], open: ["a", 1, 2] }],
    refused: [{ pair: ["a"] }, { pair: [1, "a"] }],
  },
  {
    habit: "records",
    schema: object({
      free: z.record(z.string(), z.number()).optional(),
      named: z.partialRecord(z.enum(["a", "b"]), z.number()).optional(),
    }),
    accepted: [{ free: { x: 1 } }, { named: { a: 1 } }],
    refused: [{ free: { x: "1" } }, { named: { c: 1 } }],
  },
  {
    habit: "a schema of itself",
    schema: z.object({
      name: z.string(),
      get children() {
        return z.array(node).default([]);
      },
    }),
    accepted: [{ name: "a" }, { name: "a", children: [{ name: "b" }] }],
    refused: [{ name: "a", children: [{}] }],
  },
  {
    habit: "anything",
    schema: object({ a: z.any().optional(), b: z.unknown().optional() }),
    accepted: [{}, { a: null, b: [1] }],
  },
  {
    habit: "values that the server converts",
    schema: object({ n: z.coerce.number() }),
    accepted: [{ n: 1 }],
    excluded: [{ n: "1" }],
  },
  {
    habit: "values that the server changes",
    modes: ["input"],
    schema: object({ n: z.string().transform(Number).pipe(z.number()), flag: z.stringbool().default(true) }),
    accepted: [{ n: "1" }, { n: "1", flag: "yes" }],
    refused: [{ n: 1 }],
  },
  {
    // What the server makes of an input says nothing of the input.
    habit: "values that the server changes, printed as they are afterwards",
    modes: ["output"],
    schema: object({ n: z.string().transform(Number).pipe(z.number()) }),
    accepted: [],
    excluded: [{ n: "1" }],
  },
  {
    habit: "patterns without their flags",
    schema: object({ code: z.string().regex(/^[a-z]+$/i) }),
    accepted: [{ code: "abc" }],
    refused: [{ code: "1" }],
    excluded: [{ code: "ABC" }],
  },
];

const node: z.ZodType = z.object({
  name: z.string(),
  get children() {
    return z.array(node).default([]);
  },
});

/** As the MCP SDK prints (input), and as servers do that call `toJSONSchema` themselves (output, where it can be printed). */
export const ZOD_4: Habit[] = HABITS.flatMap(({ schema, habit, modes = ["input", "output"], ...verdicts }) => {
  const serverAccepts = (input: JsonValue): boolean => schema.safeParse(input).success;
  const print = (io: "input" | "output", target: "draft-7" | "draft-2020-12"): JsonValue =>
    JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io, target, unrepresentable: "any" }))) as JsonValue;
  return modes.flatMap((io) =>
    (["draft-7", "draft-2020-12"] as const).map((target) => ({
      ...verdicts,
      habit: `${habit} (${io}, ${target})`,
      printed: print(io, target),
      serverAccepts,
    })),
  );
});
