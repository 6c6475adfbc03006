import type { OpenObjects } from "../schemas/config/config-file.ts";
import { byCodeUnits } from "../schemas/json/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../schemas/json/json.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import {
  cleanInputSchema,
  cleanSchema,
  COMPOSING_KEYWORDS,
  type CleanSchema,
} from "../schemas/json-schema/clean-schema.ts";
import type { Direction, SchemaProblem } from "../schemas/json-schema/keywords.ts";
import type { LockedServer, LockedTool } from "../schemas/lock/lockfile.ts";
import { toIdentifier } from "../schemas/lock/names.ts";
import { serverIdOf } from "../schemas/lock/operations.ts";
import { DEVICE_NAMES } from "../schemas/lock/server-ids.ts";
import { describeObserved, type ObservedResults, observedOf } from "../schemas/observed/observed-results.ts";
import { toClosedSchema } from "../schemas/observed/shape-schema.ts";
import type { Shape } from "../schemas/observed/shape.ts";
import { printValue } from "../schemas/text/print-value.ts";
import { claimName, toTypeName } from "../schemas/text/type-name.ts";
import { toCommentText, toOneLine } from "../schemas/text/visible-text.ts";
import type { ResultType, ServerPlan, ToolPlan, ToolProblem } from "./server-plan.ts";
import {
  declareTypes,
  nameTypes,
  planDescription,
  type PlannedType,
  type UnnamedType,
} from "./types/declaration-schema.ts";

/** Decides every name, path, type and comment of a server in the generated package. Neither order nor machine change the plan. */
export function planServer(server: LockedServer): ServerPlan {
  assertSafeNames(server);
  const tools = sortByName(server.tools);
  const exportNames = tools.map((tool) => tool.exportName);
  const fileNames = assignFileNames(exportNames);
  // The index of a server exports bindings and types together, so that no two of them may have one name.
  const taken = new Set(["__meta__", ...exportNames]);
  const openObjects = server.openObjects ?? ("closed" as const);
  const naming = {
    openObjects,
    planSchema: makeSchemaPlanner(openObjects),
    taken,
    resultTypes: claimResultTypes(taken),
  };
  const planned = tools.map((tool) => planTool(server.id, tool, `tools/${fileNames.get(tool.exportName)}`, naming));
  const version = ownValue(server.serverInfo, "version");
  return {
    serverId: serverIdOf(server.id),
    moduleId: server.id,
    serverName: server.name,
    ...withoutUndefined({ serverVersion: typeof version === "string" ? version : undefined }),
    integrity: server.integrity,
    tools: planned,
    problems: planned.flatMap((tool) => tool.problems),
  };
}

/** Ids and export names become paths and code. The lockfile's parser checks them too; here it must be impossible. */
function assertSafeNames(server: LockedServer): void {
  if (!/^[a-z0-9]+(?:--?[a-z0-9]+)*(?:\/(?:resources|prompts))?$/.test(server.id))
    throw new Error(`${JSON.stringify(server.id)} is no server id.`);
  const seen = new Set<string>();
  const isTaken = (name: string): boolean => seen.size === seen.add(name).size;
  const exportNames = server.tools.map((tool) => tool.exportName);
  const unsafe = exportNames.find((name) => toIdentifier(name) !== name || isTaken(name));
  if (unsafe !== undefined) throw new Error(`${JSON.stringify(unsafe)} is no export name, or not the only one.`);
}

function planTool(moduleId: string, tool: LockedTool, file: string, naming: OutputNaming): ToolPlan {
  const { taken, planSchema } = naming;
  const { clean: input, types } = planSchema(tool.inputSchema, "input");
  const inputType = claimName(`${toTypeName(tool.exportName)}Input`, taken);
  const outputType = claimName(`${toTypeName(tool.exportName)}Output`, taken);
  const inputTypes = nameTypes(types, inputType, taken);
  const output = planOutput(tool, outputType, naming);
  const problems = toToolProblems(tool, input.problems, output.problems);
  const inputOptional = acceptsNoArgument(input);
  return {
    serverId: serverIdOf(moduleId),
    moduleId,
    toolName: tool.name,
    exportName: tool.exportName,
    ...withoutUndefined({ description: tool.description }),
    integrity: tool.integrity,
    isAsServed: tool.outputSchemaFrom === undefined,
    file,
    inputType,
    outputType,
    types: [...inputTypes, ...output.types],
    resultTypes: output.imports,
    openObjects: naming.openObjects,
    ...withoutUndefined({ observed: tool.observed }),
    input,
    inputOptional,
    doc: planToolDoc(tool, input, problems),
    problems,
  };
}

/** A schema of a tool as its modules need it. */
interface PlannedSchema {
  clean: CleanSchema;
  types: readonly UnnamedType[];
}

type PlanSchema = (schema: JsonValue | undefined, direction: Direction) => PlannedSchema;

/** Plans equal schemas once: of the 2,152 of GitHub's API, 953 are there already. */
function makeSchemaPlanner(openObjects: OpenObjects): PlanSchema {
  const known = new Map<string, PlannedSchema>();
  return (schema, direction) => {
    const key = `${direction} ${JSON.stringify(schema)}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const clean = direction === "input" ? cleanInputSchema(schema) : cleanSchema(schema ?? true, direction);
    const planned = { clean, types: declareTypes(clean, openObjects) };
    known.set(key, planned);
    return planned;
  };
}

/** What `planServer` gives as the problems of a server, without its plan: a lock needs nothing else of it. */
export function schemaProblemsOf({ tools }: LockedServer): ToolProblem[] {
  return sortByName(tools).flatMap((tool) => {
    const { inputSchema, outputSchema } = tool;
    const ofOutput = outputSchema === undefined ? [] : cleanSchema(outputSchema, "output").problems;
    return toToolProblems(tool, cleanInputSchema(inputSchema).problems, ofOutput);
  });
}

function toToolProblems(
  { name: toolName }: LockedTool,
  ofInput: readonly SchemaProblem[],
  ofOutput: readonly SchemaProblem[],
): ToolProblem[] {
  return [
    ...ofInput.map((problem) => ({ toolName, schema: "inputSchema" as const, ...problem })),
    ...ofOutput.map((problem) => ({ toolName, schema: "outputSchema" as const, ...problem })),
  ];
}

function sortByName(tools: readonly LockedTool[]): LockedTool[] {
  return tools.toSorted((left, right) => byCodeUnits(left.name, right.name));
}

/** True where `{}` is surely a valid input (specification 5.3.1). */
export function acceptsNoArgument({ root }: CleanSchema): boolean {
  if (typeof root === "boolean" || ownValue(root, "type") !== "object") return false;
  const required = ownValue(root, "required");
  if (Array.isArray(required) && required.length > 0) return false;
  return ![...COMPOSING_KEYWORDS, "minProperties", "not", "if"].some((keyword) => Object.hasOwn(root, keyword));
}

/** Leaves room for a suffix and an extension within the 255 bytes of most file systems. */
const MAX_LENGTH = 120;

/**
 * A file name without extension for each export name: ASCII letters, digits, `_`, `$` and `-` only, and no two alike
 * where case does not count. The first in the order given keeps the clean name.
 */
export function assignFileNames(exportNames: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    exportNames.map((exportName) => {
      const safe = exportName.replace(/[^A-Za-z0-9_$]/g, "-").slice(0, MAX_LENGTH);
      const base = DEVICE_NAMES.has(safe.toLowerCase()) ? `${safe}-` : safe;
      let name = base;
      for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${base}-${count}`;
      taken.add(name.toLowerCase());
      return [exportName, name];
    }),
  );
}

/** The runtime's types by name, as no tool and no type of the server is called. */
type ResultTypes = Readonly<Record<ResultType["name"], ResultType>>;

/** Gives the runtime's types the names that are still free. */
function claimResultTypes(taken: Set<string>): ResultTypes {
  const claim = (name: ResultType["name"]): ResultType => ({ name, local: claimName(name, taken) });
  return { JsonText: claim("JsonText"), McpResult: claim("McpResult") };
}

/** The types of what a binding returns; the first has the name that was asked for. */
interface PlannedOutput {
  types: readonly PlannedType[];
  imports: readonly ResultType[];
  problems: readonly SchemaProblem[];
}

/** What the types of one server share. */
interface OutputNaming {
  openObjects: OpenObjects;
  planSchema: PlanSchema;
  /** Names that the server has already; the new ones are added. */
  taken: Set<string>;
  resultTypes: ResultTypes;
}

/** Plans the output type of a tool: from its schema; else from what was observed; else it is what every result is (specification 5.3.2). */
function planOutput(tool: LockedTool, name: string, naming: OutputNaming): PlannedOutput {
  const { taken, resultTypes, planSchema } = naming;
  if (tool.outputSchema !== undefined) {
    const { clean, types } = planSchema(tool.outputSchema, "output");
    return { types: nameTypes(types, name, taken), imports: [], problems: clean.problems };
  }
  const observed = observedOf(tool);
  if (observed !== undefined) return { ...planObserved(observed, name, naming), problems: [] };
  const { McpResult } = resultTypes;
  const schema = { tsType: `string | ${McpResult.local}`, description: ANY_RESULT };
  return { types: [{ name, schema, references: [] }], imports: [McpResult], problems: [] };
}

const ANY_RESULT =
  "The server does not say more. A single text arrives as a string, anything else as the whole MCP result.";

/** One member for each form that results had. */
function planObserved(
  observed: ObservedResults,
  name: string,
  { taken, resultTypes: { JsonText, McpResult } }: OutputNaming,
): Omit<PlannedOutput, "problems"> {
  const { text, json, structured, blocks } = observed.shape;
  const description = describeObserved(observed);
  const isStructuredAlone =
    structured !== undefined && text === undefined && json === undefined && blocks === undefined;
  // What may be anything is not checked.
  if (isStructuredAlone && structured.any === true) {
    return { types: [{ name, schema: { tsType: "any", description }, references: [] }], imports: [] };
  }
  if (isStructuredAlone) return { types: planShape(structured, name, taken, description), imports: [] };
  const jsonName = json === undefined ? "" : claimName(`${name}Json`, taken);
  const structuredName = structured === undefined ? "" : claimName(`${name}Content`, taken);
  const members = [
    ...(text === true && json === undefined ? ["string"] : []),
    // A plain text fits a `JsonText` too: what JSON.parse gives is of that type, or there is nothing to parse.
    ...(json === undefined ? [] : [`${JsonText.local}<${jsonName}>`]),
    ...(structured === undefined ? [] : [structuredName]),
    ...(blocks === undefined ? [] : [McpResult.local]),
  ];
  return {
    types: [
      { name, schema: { tsType: members.join(" | "), description }, references: [] },
      ...(json === undefined ? [] : planShape(json, jsonName, taken)),
      ...(structured === undefined ? [] : planShape(structured, structuredName, taken)),
    ],
    imports: [...(json === undefined ? [] : [JsonText]), ...(blocks === undefined ? [] : [McpResult])],
  };
}

function planShape(shape: Shape, name: string, taken: Set<string>, description?: string): readonly PlannedType[] {
  const planned = nameTypes(declareTypes(cleanSchema(toClosedSchema(shape, {}), "output"), "closed"), name, taken);
  const [root, ...others] = planned.map((type) => ({ ...type, schema: leaveUnchecked(type.schema) as JsonObject }));
  if (root === undefined || description === undefined) return root === undefined ? [] : [root, ...others];
  return [{ ...root, schema: { ...root.schema, description } }, ...others];
}

/** What was not seen stays as JSON.parse gives it: a script that knows more than was observed needs no cast. */
function leaveUnchecked(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(leaveUnchecked);
  if (!isJsonObject(schema)) return schema;
  const members = Object.entries(schema).map(
    ([key, value]) => [key, key === "tsType" && value === "unknown" ? "any" : leaveUnchecked(value)] as const,
  );
  return toJsonObject(members);
}

/** The hints of MCP tool annotations, and the words for true and false. */
const HINTS: readonly (readonly [string, string, string])[] = [
  ["readOnlyHint", "read-only", "not read-only"],
  ["destructiveHint", "destructive", "not destructive"],
  ["idempotentHint", "idempotent", "not idempotent"],
  ["openWorldHint", "open world", "closed world"],
];

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** The text of a binding's doc comment. All text of the server stays text: it cannot end the comment or begin a tag. */
function planToolDoc(tool: LockedTool, input: CleanSchema, problems: readonly ToolProblem[]): string {
  const root = isJsonObject(input.root) ? input.root : {};
  const properties = ownValue(root, "properties");
  const paragraphs = [
    toCommentText(tool.description ?? tool.title ?? ""),
    hintsOf(tool.annotations),
    problems.map(printProblem).join("\n"),
    [
      ...(isJsonObject(properties)
        ? requiredFirst(root, properties).flatMap(([name, schema]) => printParameter(name, schema))
        : []),
      "@throws {SchemaValidationError} The input does not match the schema of the tool.",
      "@throws {ToolCallError} The tool reports an error.",
      ...examplesOf(root).map((example) => printExample(tool.exportName, example)),
    ].join("\n"),
  ];
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
}

/** The order in which the input type lists them. */
function requiredFirst(root: JsonObject, properties: JsonObject): [string, JsonValue][] {
  const required = ownValue(root, "required");
  const rank = (name: string): number => (Array.isArray(required) && required.includes(name) ? 0 : 1);
  return Object.entries(properties).toSorted(([left], [right]) => rank(left) - rank(right));
}

function hintsOf(annotations: JsonValue | undefined): string {
  const words = annotationWords(annotations);
  return words.length === 0 ? "" : `Annotations: ${words.join(", ")}.`;
}

/** What a tool's annotations say, in words: `read-only`, `not destructive` and so on. */
export function annotationWords(annotations: JsonValue | undefined): string[] {
  if (!isJsonObject(annotations)) return [];
  return HINTS.flatMap(([hint, whenTrue, whenFalse]) => {
    const value = ownValue(annotations, hint);
    return typeof value === "boolean" ? [value ? whenTrue : whenFalse] : [];
  });
}

function printProblem(problem: ToolProblem): string {
  return `Warning: ${toCommentText(`${problem.schema}${problem.pointer} ${problem.message}`).replace(/\s+/g, " ")}.`;
}

/** Names that are no identifiers cannot stand in a `@param`; their text is at the property of the input type. */
function printParameter(name: string, schema: JsonValue): string[] {
  if (!isJsonObject(schema) || !IDENTIFIER.test(name)) return [];
  const text = toOneLine(planDescription(schema));
  return text === "" ? [] : [`@param input.${name} - ${text}`];
}

function examplesOf(root: JsonObject): JsonValue[] {
  const examples = ownValue(root, "examples");
  return Array.isArray(examples) ? examples : [];
}

function printExample(exportName: string, example: JsonValue): string {
  return `@example\nawait ${exportName}(${toCommentText(printValue(example))});`;
}
