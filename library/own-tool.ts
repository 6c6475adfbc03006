import { ToolFault, type ToolContext } from "../runtime/mcp/connect-functions.ts";
import { describeThrown } from "../runtime/mcp/describe-thrown.ts";
import type { ProgramTool } from "../schemas/config/program-server.ts";
import { optionInvalid } from "../schemas/errors.ts";
import { asJson, isJsonObject, type JsonObject } from "../schemas/json/json.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { cleanSchema } from "../schemas/json-schema/clean-schema.ts";
import { listOfName } from "../schemas/lock/operations.ts";
import { type Framework, FRAMEWORKS } from "./frameworks.ts";
import type { GivenTool } from "./given-tool.ts";
import { readToolRules } from "./tool-rules.ts";

type Member = (this: unknown, ...given: unknown[]) => unknown;

/**
 * Reads one tool, in the shape of any framework.
 * @throws CodemodeError (`INVALID_OPTION`) with the line to type, where something of it is missing
 */
export async function toProgramTool(server: string, name: string, given: GivenTool): Promise<ProgramTool> {
  const place = `tool "${server}/${name}"`;
  const framework = findFramework(place, name, given);
  const key = framework.functions.find((one) => typeof given[one] === "function");
  if (key === undefined) throw optionInvalid(place, "it has no function `execute`", lineFor(name));
  if (listOfName(name) !== undefined) throw optionInvalid(place, "its name is one of a resource or a prompt");
  const schemaKey = framework.schemas.find((one) => given[one] !== undefined);
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
  const work = given[key] as Member;
  // AI SDK 7: what is no such context is not to reach the function.
  const checkContext = readContextCheck(given.contextSchema);
  return {
    definition,
    check: input?.check,
    fillsDefaults: framework.checksWithin,
    run(taken, call: ToolContext) {
      const returned = goOn(checkContext?.(call.context) ?? call.context, (context) =>
        work.apply(given, framework.take(taken, context === call.context ? call : { ...call, context })),
      );
      const value = goOn(returned, (last) => takeResult(isStream(last) ? lastOf(last) : last, framework));
      return output?.check === undefined ? value : goOn(value, output.check);
    },
    ...readToolRules(place, given, framework),
  };
}

/** The framework whose form a tool has. The form of a class that is not known is not guessed from the name of one of its members. */
function findFramework(place: string, name: string, given: GivenTool): Framework {
  if (typeof given === "function" && !FUNCTIONS.some((key) => Object.hasOwn(given, key)))
    throw optionInvalid(place, "a function alone says nothing of its input", lineFor(name));
  if (typeof given !== "object" && typeof given !== "function")
    throw optionInvalid(place, "it has no function `execute`", lineFor(name));
  const framework = FRAMEWORKS.find((one) => one.isToolOf(given));
  if (framework === undefined) {
    const { name: className = "" } = Object(given.constructor) as { name?: string };
    const known = FRAMEWORKS.map(({ versions }) => versions).join(", ");
    throw optionInvalid(
      place,
      `it is a \`${className}\`, and how that is called is not known`,
      `${lineFor(name)} Known are plain objects, and tools of ${known}.`,
    );
  }
  const obstacle = framework.findObstacle?.(given);
  if (obstacle === undefined) return framework;
  throw optionInvalid(place, `its \`${obstacle}\` works within ${framework.name} alone`, lineFor(name));
}

const FUNCTIONS = ["execute", "invoke", "handler", "call"] as const;

function lineFor(name: string): string {
  return `Write \`${name}: defineTool({ description: "…", inputSchema: z.object({ … }), execute: (input) => … })\`.`;
}

function readContextCheck(schema: unknown): ((context: unknown) => unknown) | undefined {
  const standard = (schema as AnySchema | undefined)?.["~standard"];
  if (standard?.validate === undefined) return undefined;
  return (context) => goOn(standard.validate?.(context), (checked) => takeChecked(checked as Checked, "context"));
}

function takeResult(result: unknown, { findFailure }: Framework): unknown {
  if (findFailure === undefined) return result;
  return goOn(result, (last) => {
    const failure = findFailure(last);
    if (failure !== undefined) throw new TypeError(failure);
    return last;
  });
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
  if (!isJsonObject(json)) throw optionInvalid(place, "it gives no JSON Schema", lineForSchema(any));
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
function lineForSchema(schema: AnySchema): string {
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

function takeChecked(checked: Checked, side: Side | "context"): unknown {
  if (checked.issues === undefined) return checked.value;
  const problems = checked.issues.map(({ message, path = [] }) => {
    const steps = path.map((step) => String((step as { key?: unknown } | null)?.key ?? step));
    return steps.length === 0 ? message : `"/${steps.join("/")}": ${message}`;
  });
  const message = `The ${side} does not match its schema: ${problems.join("; ")}`;
  throw side === "output" ? new ToolFault(message) : new TypeError(message);
}
