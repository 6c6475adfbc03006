import { isJsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import { constantValue } from "./constant-value.ts";
import type { PlacedProblem } from "../imports/import-problem.ts";
import { childNode, childNodes, nameOf, type SyntaxNode } from "./syntax-tree.ts";

/** What a script says of itself in constants that it exports; they are read, never run. */
export interface ScriptDeclarations {
  /** `export const input`: the JSON Schema of its input. */
  input?: JsonValue | undefined;
  /** `export const requestedCapabilities`: server ids and `serverId/toolName` patterns, all that it wants to be able to call. */
  requestedCapabilities?: readonly string[] | undefined;
  problems: PlacedProblem[];
}

/** Reads the declarations of a script from its syntax tree. */
export function findScriptDeclarations(program: SyntaxNode): ScriptDeclarations {
  const constants = new Map<string, SyntaxNode>();
  const exported = new Map<string, SyntaxNode>();
  for (const statement of childNodes(program, "body")) {
    const isExport = statement.type === "ExportNamedDeclaration";
    const declaration = isExport ? childNode(statement, "declaration") : statement;
    if (declaration?.type !== "VariableDeclaration" || declaration["kind"] !== "const") continue;
    for (const declarator of childNodes(declaration, "declarations")) {
      const name = nameOf(childNode(declarator, "id"));
      const initial = childNode(declarator, "init");
      if (name === undefined || initial === undefined) continue;
      constants.set(name, initial);
      if (isExport) exported.set(name, initial);
    }
  }
  const declarations: ScriptDeclarations = { problems: [] };
  const read = (name: string): { value: JsonValue | undefined; start: number } | undefined => {
    const initial = exported.get(name);
    return initial === undefined ? undefined : { value: constantValue(initial, constants), start: initial.start };
  };
  const input = read("input");
  if (input !== undefined) {
    if (isSchema(input.value)) declarations.input = input.value;
    else declarations.problems.push({ ...INPUT_UNREADABLE, start: input.start });
  }
  const requested = read("requestedCapabilities");
  if (requested !== undefined) {
    if (isTextList(requested.value)) declarations.requestedCapabilities = requested.value;
    else declarations.problems.push({ ...CAPABILITIES_UNREADABLE, start: requested.start });
  }
  return declarations;
}

function isSchema(value: JsonValue | undefined): value is JsonValue {
  return typeof value === "boolean" || isJsonObject(value);
}

function isTextList(value: JsonValue | undefined): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

const INPUT_UNREADABLE = {
  code: "SYNTAX_ERROR",
  message: "`export const input` is the JSON Schema of the script's input, and must be known before the script runs.",
  hint: "Write it as an object literal of constants, or use another name for the variable.",
} as const;

const CAPABILITIES_UNREADABLE = {
  code: "SYNTAX_ERROR",
  message: "`export const requestedCapabilities` must be known before the script runs.",
  hint: 'Write it as a list of texts, such as `["memory", "files/read_*"]`.',
} as const;
