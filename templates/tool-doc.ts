import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../schemas/json/json.ts";
import type { CleanSchema } from "../schemas/json-schema/clean-schema.ts";
import type { LockedTool } from "../schemas/lock/lockfile.ts";
import type { ToolProblem } from "./server-plan.ts";
import { printValue } from "../schemas/text/print-value.ts";
import { toCommentText, toOneLine } from "../schemas/text/visible-text.ts";
import { planDescription } from "./types/description.ts";

/** The hints of MCP tool annotations, and the words for true and false. */
const HINTS: readonly (readonly [string, string, string])[] = [
  ["readOnlyHint", "read-only", "not read-only"],
  ["destructiveHint", "destructive", "not destructive"],
  ["idempotentHint", "idempotent", "not idempotent"],
  ["openWorldHint", "open world", "closed world"],
];

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** The text of a binding's doc comment. All text of the server stays text: it cannot end the comment or begin a tag. */
export function planToolDoc(tool: LockedTool, input: CleanSchema, problems: readonly ToolProblem[]): string {
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
