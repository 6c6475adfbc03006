import { ToolFault, type ToolContext } from "../runtime/mcp/connect-functions.ts";
import { describeThrown } from "../runtime/mcp/describe-thrown.ts";
import type { ProgramTool, ToolRules } from "../schemas/config/program-server.ts";
import { optionInvalid } from "../schemas/errors.ts";
import { asJson, isJsonObject, type JsonObject } from "../schemas/json/json.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { cleanSchema } from "../schemas/json-schema/clean-schema.ts";
import { listOfName } from "../schemas/lock/operations.ts";

/** What the program says of a tool beside what it does: also of one of an MCP server. */
export interface OwnToolRules<Context = unknown> {
  /** Whether the tool exists for a context; where not, nothing tells of it, and its call is refused. */
  enabled?: ((context: Context) => boolean | Promise<boolean>) | undefined;
  /** Whether a person is asked about each call, or about which: a boolean, or a function of the input and `{ context }`. */
  needsApproval?: unknown;
  /** Takes back what a call has done, for `undo` of a run. */
  undo?(input: never, result: never, call: ToolContext<Context>): unknown;
}

/**
 * A function as a tool, as AI SDK, Mastra, TanStack, LangChain and OpenAI Agents make it, or an object literal. It has an input schema and one
 * function, under one of their names each.
 */
export interface OwnTool<Context = unknown> extends OwnToolRules<Context> {
  /** For agents; a function of the AI SDK counts as none. */
  description?: unknown;
  title?: unknown;
  /** Standard Schema that gives its JSON Schema (zod, arktype, `toStandardJsonSchema` of valibot), JSON Schema, or `jsonSchema()` of the AI SDK. */
  inputSchema?: unknown;
  /** The same, as OpenAI Agents call it. */
  parameters?: unknown;
  /** The same, as LangChain calls it. */
  schema?: unknown;
  /** Of what the function returns; unless given the result is `unknown` to scripts. */
  outputSchema?: unknown;
  /** What the tool claims (MCP, ToolAnnotations). */
  annotations?: JsonObject | undefined;
  /** The same, as Mastra calls it. */
  requireApproval?: unknown;
  // Methods, so that a tool of a narrower input is one.
  execute?(input: never, call: never): unknown;
  invoke?(input: never, ...rest: never[]): unknown;
  handler?(input: never, call: never): unknown;
  call?(input: never, call: never): unknown;
}

/** What is given as a tool: any value, whose members are looked at. */
export type GivenTool = { [Name in keyof OwnTool]?: unknown } & { type?: unknown };

type Member = (this: unknown, ...given: unknown[]) => unknown;

/** The functions of tools, in the order in which they count. */
const FUNCTIONS = ["execute", "invoke", "handler", "call"] as const;
const SCHEMAS = ["inputSchema", "parameters", "schema"] as const;

/**
 * Reads one tool, in the shape of any framework.
 * @throws CodemodeError (`INVALID_OPTION`) with the line to type, where something of it is missing
 */
export async function toProgramTool(server: string, name: string, given: GivenTool): Promise<ProgramTool> {
  const place = `tool "${server}/${name}"`;
  const line = `Write \`${name}: defineTool({ description: "…", inputSchema: z.object({ … }), execute: (input) => … })\`.`;
  if (
    typeof given === "function" &&
    !FUNCTIONS.some((key) => typeof given[key] === "function" && Object.hasOwn(given, key))
  )
    throw optionInvalid(place, "a function alone says nothing of its input", line);
  const key = FUNCTIONS.find((one) => typeof Object(given)[one] === "function");
  if (key === undefined) throw optionInvalid(place, "it has no function `execute`", line);
  if (listOfName(name) !== undefined) throw optionInvalid(place, "its name is one of a resource or a prompt");
  const schemaKey = SCHEMAS.find((one) => given[one] !== undefined);
  const input = await readSchema(schemaKey && given[schemaKey], "input", `${place}, \`${schemaKey ?? ""}\``);
  const output = await readSchema(given.outputSchema, "output", `${place}, \`outputSchema\``);
  const { description, title, annotations } = given;
  const definition = {
    ...{ name, inputSchema: input?.json ?? { type: "object", properties: {} }, outputSchema: output?.json ?? {} },
    ...withoutUndefined({
      title: typeof title === "string" ? title : undefined,
      description: typeof description === "string" ? description : undefined,
      annotations: annotations === undefined ? undefined : asJson(annotations as object),
    }),
  } as ProgramTool["definition"];
  // OpenAI Agents give the context first, and the input as text.
  const isOpenAi = key === "invoke" && schemaKey === "parameters";
  const work = given[key] as Member;
  return {
    definition,
    run(raw, call: ToolContext) {
      const returned = goOn(input?.check === undefined ? raw : input.check(raw), (checked) => {
        const taken = isOpenAi
          ? [{ context: call.context }, JSON.stringify(checked), { signal: call.signal }]
          : [checked, toFrameworkCall(call)];
        return work.apply(given, taken);
      });
      const value = goOn(returned, (last) => (isStream(last) ? lastOf(last) : last));
      return output?.check === undefined ? value : goOn(value, output.check);
    },
    ...toToolRules(given, isOpenAi),
  };
}

/** Guard, approval and way back of a tool. */
export function toToolRules(given: GivenTool, isOpenAi = false): ToolRules {
  const { enabled, undo } = given;
  return withoutUndefined({
    isEnabled:
      typeof enabled === "function" ? (context: unknown) => (enabled as Member)(context) as boolean : undefined,
    needsApproval: readApproval(given, isOpenAi),
    undo: typeof undo === "function" ? (...taken: unknown[]) => (undo as Member).apply(given, taken) : undefined,
  });
}

/** What a function gets beside its input, under our names and the names of AI SDK and LangChain. */
function toFrameworkCall({ context, signal, run, progress, log, ask }: ToolContext): ToolContext {
  const toolCallId = `${run.key}:${run.number}`;
  const named = { toolCallId, messages: [], abortSignal: signal, experimental_context: context };
  // For each call, as in `makeCallGate`: spread into another object this takes fifteen times as long.
  return Object.assign(named, { context, signal, run, progress, log, ask });
}

/** Goes on with what a promise gives, and at once with all else: a function that answers at once needs no promise on its way. */
function goOn<Value, Next>(value: Value | PromiseLike<Value>, step: (value: Value) => Next): Next | Promise<Next> {
  return isPromise(value) ? Promise.resolve(value).then(step) : step(value);
}

function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return value instanceof Object && typeof (value as { then?: unknown }).then === "function";
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** AI SDK tools may give preliminary results; the last one counts. */
async function lastOf(results: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const each of results) last = each;
  return last;
}

/** Present where calls may need an approval. */
function readApproval({ needsApproval, requireApproval }: GivenTool, isOpenAi: boolean): ProgramTool["needsApproval"] {
  const asks = needsApproval ?? requireApproval;
  if (typeof asks !== "function") return asks === true ? () => true : undefined;
  return async (input, context) => {
    const taken = isOpenAi ? [{ context }, input] : [input, { context, experimental_context: context }];
    return (await (asks as Member)(...taken)) !== false;
  };
}

/** A schema as JSON Schema, and its own check, which may fill in defaults and convert. */
interface ReadSchema {
  json: JsonObject;
  check: ((value: unknown) => unknown) | undefined;
}

type Checked =
  | { value: unknown; issues?: undefined }
  | { issues: readonly { message: string; path?: readonly unknown[] }[] };

/** What a schema may have of Standard Schema, of its library, and of `jsonSchema()` of the AI SDK. */
interface AnySchema {
  "~standard"?: {
    vendor?: string;
    validate?(value: unknown): Checked | Promise<Checked>;
    jsonSchema?: { [Side in "input" | "output"]?: (options: { target: string }) => unknown };
  };
  toJSONSchema?(options: { io: string }): unknown;
  toJsonSchema?(): unknown;
  jsonSchema?: unknown;
  validate?(value: unknown): unknown;
  safeParse?: unknown;
}

type Side = "input" | "output";

async function readSchema(schema: unknown, side: Side, place: string): Promise<ReadSchema | undefined> {
  if (schema === undefined || schema === null) return undefined;
  const any = schema as AnySchema;
  const standard = any["~standard"];
  if (standard === undefined && typeof schema === "function")
    return readSchema(await ofSchema(place, side, async () => schema() as unknown), side, place);
  const json = await ofSchema(place, side, async () => printSchema(any, side));
  if (!isJsonObject(json)) throw optionInvalid(place, "it gives no JSON Schema", lineFor(any));
  if (standard === undefined) assertTypes(json, side, place);
  return { json: asJson(JSON.parse(JSON.stringify(json))), check: findCheck(any, side) };
}

/** A schema that was written by hand may name a type that JSON Schema does not have: it would count as any. */
function assertTypes(json: JsonObject, side: Side, place: string): void {
  const wrong = cleanSchema(json, side).problems.find(({ pointer }) => pointer.endsWith("/type"));
  if (wrong === undefined) return;
  const known = "Write object, array, string, number, integer, boolean or null.";
  throw optionInvalid(place, `"${wrong.pointer}" ${wrong.message}`, known);
}

/** Names the tool and the side of what a schema throws as it is printed, with the line to write for what JSON Schema does not have. */
async function ofSchema<Printed>(place: string, side: Side, print: () => Promise<Printed>): Promise<Printed> {
  try {
    return await print();
  } catch (error) {
    const message = describeThrown(error);
    throw optionInvalid(place, `its schema cannot be written as JSON Schema: ${message}`, lineForFault(message, side));
  }
}

/** What a value of JSON is written with in place of a type that JSON does not have, by what schema libraries say of it. */
const IN_JSON: readonly (readonly [fault: RegExp, lines: Readonly<Record<Side, string>>])[] = [
  [
    /\bdate/i,
    {
      input: "Write `z.iso.datetime()`, and `new Date(value)` in `execute`.",
      output: "Write `z.iso.datetime()`, and return `date.toISOString()`.",
    },
  ],
  [
    /\bbigint/i,
    {
      input: "Write `z.string()`, and `BigInt(value)` in `execute`.",
      output: "Write `z.string()`, and return `String(value)`.",
    },
  ],
  [
    /\bmap\b/i,
    {
      input: "Write `z.record(z.string(), …)`, and `new Map(Object.entries(value))` in `execute`.",
      output: "Write `z.record(z.string(), …)`, and return `Object.fromEntries(map)`.",
    },
  ],
  [
    /\bset\b/i,
    {
      input: "Write `z.array(…)`, and `new Set(value)` in `execute`.",
      output: "Write `z.array(…)`, and return `[...set]`.",
    },
  ],
  [
    /\btransform|\bmorph/i,
    {
      input: "Convert the value in `execute`.",
      output:
        "Write what follows the transform as well, as in `.transform(…).pipe(z.number())`, or convert the value in `execute`.",
    },
  ],
  [
    /class constructor/i,
    {
      input: "Write `z.object({ … })`, or give a JSON Schema.",
      output: "Write `z.object({ … })`, or give a JSON Schema.",
    },
  ],
];

function lineForFault(message: string, side: Side): string {
  const known = IN_JSON.find(([fault]) => fault.test(message))?.[1][side];
  return (
    known ?? "Write a type that JSON has (text, number, boolean, list, object), and convert the value in `execute`."
  );
}

/** JSON Schema has no check of its own: the host holds calls against it. */
function findCheck(schema: AnySchema, side: Side): ReadSchema["check"] {
  const standard = schema["~standard"];
  if (standard?.validate !== undefined)
    return (value) => goOn(standard.validate?.(value), (checked) => takeChecked(checked as Checked, side));
  if (schema.jsonSchema === undefined || schema.validate === undefined) return undefined;
  return async (value) => {
    const checked = (await schema.validate?.(value)) as { success: boolean; value: unknown; error?: Error };
    if (checked.success) return checked.value;
    const message = `The ${side} does not match: ${checked.error?.message ?? "it is refused"}`;
    throw side === "output" ? new ToolFault(message) : new TypeError(message);
  };
}

async function printSchema(schema: AnySchema, side: Side): Promise<unknown> {
  const standard = schema["~standard"];
  const print = standard?.jsonSchema?.[side];
  if (print !== undefined) return print({ target: "draft-2020-12" });
  if (schema.toJSONSchema !== undefined) return schema.toJSONSchema({ io: side });
  if (schema.toJsonSchema !== undefined) return schema.toJsonSchema();
  if (schema.jsonSchema !== undefined) return schema.jsonSchema;
  if (standard !== undefined || schema.safeParse !== undefined) return undefined;
  // A record of schemas is none itself.
  const isShape = Object.values(schema).some(
    (member) => (member as AnySchema | undefined)?.["~standard"] !== undefined,
  );
  return isShape ? undefined : schema;
}

/** What to write where a schema gives no JSON Schema. */
function lineFor(schema: AnySchema): string {
  switch (schema["~standard"]?.vendor) {
    case "valibot":
      return "Write `toStandardJsonSchema(SCHEMA)` of @valibot/to-json-schema.";
    case "zod":
      return "Write it with zod 4.2 or newer; of zod 3, write `jsonSchema(zodToJsonSchema(SCHEMA))`, of the packages `ai` and `zod-to-json-schema`.";
    case undefined:
      return "Write `z.object({ … })` around it, or give a JSON Schema.";
    default:
      return "Give its JSON Schema instead, as its library prints it.";
  }
}

function takeChecked(checked: Checked, side: Side): unknown {
  if (checked.issues === undefined) return checked.value;
  const problems = checked.issues.map(({ message, path = [] }) => {
    const steps = path.map((step) => String((step as { key?: unknown } | null)?.key ?? step));
    return steps.length === 0 ? message : `"/${steps.join("/")}": ${message}`;
  });
  const message = `The ${side} does not match its schema: ${problems.join("; ")}`;
  throw side === "output" ? new ToolFault(message) : new TypeError(message);
}
