import { createHash } from "node:crypto";
import type { Tool } from "@modelcontextprotocol/server";
import { type LeftOut, toLeftOut } from "../document/left-out.ts";
import type { ApiDocument } from "../document/parse-document.ts";
import { defined, fromMembers, type JsonObject } from "../json.ts";
import { toLine } from "../openapi-error.ts";
import type { Operation } from "../operations.ts";
import { findKeyHeader, type KeyHeader } from "../request/call-key.ts";
import { type ArgumentPlan, planArguments } from "./arguments.ts";
import { boundText, type Int64 } from "./convert-schema.ts";
import { planResult, type ResultPlan } from "./result-schema.ts";
import { createSchemaLibrary, type SchemaLibrary } from "./schema-library.ts";

/** A tool with what is needed to call its operation. */
export interface ApiTool {
  name: string;
  operation: Operation;
  plan: ArgumentPlan;
  result: ResultPlan;
  /** What carries the key of a call; absent where the API knows none. */
  keyHeader?: KeyHeader | undefined;
  /** What `tools/list` shows. */
  definition: Tool;
}

/** How tools are made. */
export interface ToolOptions {
  /** Whether tools say what comes back; a strict client refuses what does not fit. */
  outputSchemas: boolean;
  /** How integers of 64 bits are given; as numbers unless given. */
  int64?: Int64 | undefined;
  /** Parameters that the command gives itself, as `header x-api-key`. */
  hidden: ReadonlySet<string>;
  /** Names of parameters and fields whose values the command gives. */
  fixed: ReadonlySet<string>;
  /** The header for the key of a call; the one of the document unless given. */
  idempotencyHeader?: string | undefined;
  /** The address that the document says for an operation; empty where a person has given it. */
  addressOf: (operation: Operation) => string;
}

const MAX_INPUT = 48 * 1024;
const MAX_DESCRIPTION = 1_000;
/** Of the API of models, which the names of tools reach. */
const MAX_NAME = 64;

/**
 * Makes a tool of each operation. Names depend on all operations of the document, so that a selection changes none. An operation that cannot be
 * one is noted in `leftOut` of the document.
 * @throws OpenApiError where none can: the first reason
 */
export function makeTools(
  document: ApiDocument,
  all: Operation[],
  selected: Operation[],
  options: ToolOptions,
): ApiTool[] {
  const library = createSchemaLibrary(document.root, options.int64);
  const names = nameTools(all);
  const tools = selected.flatMap((operation) => {
    try {
      return [makeTool(operation, names.get(operation) ?? "", library, options)];
    } catch (error) {
      document.leftOut.push(toLeftOut(operation.pointer, error));
      return [];
    }
  });
  const isReason = ({ pointer }: LeftOut): boolean => selected.some((operation) => operation.pointer === pointer);
  if (tools.length === 0) throw document.leftOut.find(isReason)?.error ?? new Error("no operation is selected");
  return tools;
}

function makeTool(operation: Operation, name: string, library: SchemaLibrary, options: ToolOptions): ApiTool {
  const isReading = READING.has(operation.method);
  const { hidden, fixed, idempotencyHeader } = options;
  const keyHeader = isReading ? undefined : findKeyHeader(operation, library.root, idempotencyHeader, hidden);
  const plan = planArguments(operation, library, hidden, fixed, keyHeader?.parameter);
  const result = planResult(operation, library);
  const outputSchema = options.outputSchemas ? result.schema : undefined;
  const title = operation.summary === undefined ? undefined : toLine(operation.summary, 100);
  const definition = {
    name,
    ...defined({ title: title === "" ? undefined : title }),
    description: describeTool(operation, options.addressOf(operation)),
    inputSchema: library.close(writeInput(plan), "input", MAX_INPUT),
    ...defined({ outputSchema }),
    annotations: annotate(operation.method, keyHeader !== undefined),
  };
  return { name, operation, plan, result, keyHeader, definition: definition as Tool };
}

function writeInput(plan: ArgumentPlan): JsonObject {
  const required = plan.arguments.filter((argument) => argument.required).map(({ name }) => name);
  return fromMembers([
    ["type", "object"],
    ["properties", fromMembers(plan.arguments.map(({ name, schema }) => [name, schema]))],
    ["required", required.length === 0 ? undefined : required],
    ["dependentRequired", writeNeeded(plan)],
    ["additionalProperties", false],
  ]);
}

/** A body that may be absent needs its required fields as soon as one of its fields is given. */
function writeNeeded({ arguments: all, body }: ArgumentPlan): JsonObject | undefined {
  const needed = body?.needed ?? [];
  if (needed.length === 0) return undefined;
  const fields = all.filter(({ target }) => target === "field");
  return fromMembers(
    fields.map(({ name }) => {
      const others = needed.filter((one) => one !== name);
      return [name, others.length === 0 ? undefined : others];
    }),
  );
}

/**
 * Summary, description, and what is sent where: a document that names another server changes each tool. All of it is text of the document:
 * bounded, without control characters.
 */
function describeTool({ summary, description, deprecated, method, path }: Operation, address: string): string {
  // Many descriptions begin with their summary.
  const isSaid = summary !== undefined && description?.startsWith(summary) === true;
  const parts = [isSaid ? undefined : summary, description].flatMap((text) => text ?? []);
  const text = boundText(parts.join("\n\n"), MAX_DESCRIPTION);
  const sent = `${method} ${toLine(address, 200)}${toLine(path, 200)}${deprecated ? " (deprecated)" : ""}`;
  return text === "" ? sent : `${text}\n\n${sent}`;
}

const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

function annotate(method: string, takesKey: boolean): JsonObject {
  return {
    readOnlyHint: READING.has(method),
    ...defined({
      destructiveHint: method === "DELETE" || undefined,
      idempotentHint: method === "PUT" || method === "DELETE" || undefined,
    }),
    openWorldHint: true,
    // For codemode, which then makes a call again whose answer was lost.
    ...defined({ "dev.codemode/takes-run-key": takesKey || undefined }),
  };
}

/** A name for each operation: its id, else its method and path; unique, also where case does not count. */
function nameTools(operations: Operation[]): Map<Operation, string> {
  const taken = new Set<string>();
  /** The next number of a name that was there before. */
  const numbers = new Map<string, number>();
  return new Map(
    operations.map((operation) => {
      const base = toToolName(operation.id ?? "") || toToolName(`${operation.method.toLowerCase()}${operation.path}`);
      let name = base;
      const stem = base.slice(0, MAX_NAME - 5).toLowerCase();
      while (taken.has(name.toLowerCase())) {
        const number = numbers.get(stem) ?? 2;
        numbers.set(stem, number + 1);
        name = `${base.slice(0, MAX_NAME - Math.max(5, String(number).length + 1))}_${number}`;
      }
      taken.add(name.toLowerCase());
      return [operation, name];
    }),
  );
}

function toToolName(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9_-]+/g, "_").replaceAll(/^_+|(?<!_)_+$/g, "");
  if (name.length <= MAX_NAME) return name;
  // What is cut is replaced by a hash: two long names stay two.
  return `${name.slice(0, MAX_NAME - 9)}_${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
}
