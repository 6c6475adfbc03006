import { isJsonObject, type JsonValue, toJsonObject } from "../../../schemas/json/json.ts";
import type { PlacedProblem } from "../modules/import-problem.ts";
import { childNode, childNodes, nameOf, type SyntaxNode, constantText, isSyntaxNode } from "./syntax-tree.ts";

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
  for (const { name, isValid, problem } of DECLARED) {
    const initial = exported.get(name);
    const value = initial === undefined ? undefined : constantValue(initial, constants);
    if (isValid(value)) Object.assign(declarations, { [name]: value });
    else if (initial !== undefined) declarations.problems.push({ ...problem, start: initial.start });
  }
  return declarations;
}

function isSchema(value: JsonValue | undefined): boolean {
  return typeof value === "boolean" || isJsonObject(value);
}

function isTextList(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** What a script may declare, and what is said of a value that is not known before it runs. */
const DECLARED = [
  {
    name: "input",
    isValid: isSchema,
    problem: {
      code: "SYNTAX_ERROR",
      message:
        "`export const input` is the JSON Schema of the script's input, and must be known before the script runs.",
      hint: "Write it as an object literal of constants, or use another name for the variable.",
    },
  },
  {
    name: "requestedCapabilities",
    isValid: isTextList,
    problem: {
      code: "SYNTAX_ERROR",
      message: "`export const requestedCapabilities` must be known before the script runs.",
      hint: 'Write it as a list of texts, such as `["memory", "files/read_*"]`.',
    },
  },
] as const;

/** Initial values of the module's `const` variables, by name. */
type Constants = ReadonlyMap<string, SyntaxNode>;

/** How many variables may lead to one another before the value is called unknown. */
const MAX_HOPS = 10;

/**
 * The JSON value that an expression is known to have without running anything: literals, arrays and objects of them, and
 * `const` variables that hold such. Undefined for everything else.
 */
function constantValue(node: SyntaxNode, constants: Constants, hops = MAX_HOPS): JsonValue | undefined {
  switch (node.type) {
    case "Literal":
      return isJsonScalar(node["value"]) && node["regex"] === undefined ? node["value"] : undefined;
    case "TemplateLiteral":
      return constantText(node);
    case "UnaryExpression":
      return negatedNumber(node);
    case "ArrayExpression": {
      const items = (node["elements"] as unknown[]).map((element) =>
        isSyntaxNode(element) ? constantValue(element, constants, hops) : undefined,
      );
      return items.includes(undefined) ? undefined : (items as JsonValue[]);
    }
    case "ObjectExpression":
      return constantObject(node, constants, hops);
    case "Identifier": {
      const initial = constants.get(nameOf(node) ?? "");
      return initial === undefined || hops === 0 ? undefined : constantValue(initial, constants, hops - 1);
    }
    default:
      return undefined;
  }
}

function isJsonScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
}

function negatedNumber(node: SyntaxNode): number | undefined {
  const value = childNode(node, "argument")?.["value"];
  return node["operator"] === "-" && typeof value === "number" ? -value : undefined;
}

function constantObject(node: SyntaxNode, constants: Constants, hops: number): JsonValue | undefined {
  const entries: [string, JsonValue][] = [];
  for (const property of childNodes(node, "properties")) {
    const key = propertyName(property);
    const value = childNode(property, "value");
    const known = value === undefined ? undefined : constantValue(value, constants, hops);
    if (property.type !== "Property" || key === undefined || known === undefined) return undefined;
    entries.push([key, known]);
  }
  return toJsonObject(entries);
}

function propertyName(property: SyntaxNode): string | undefined {
  const key = childNode(property, "key");
  if (key?.type === "Identifier") return property["computed"] === true ? undefined : nameOf(key);
  return typeof key?.["value"] === "number" ? String(key["value"]) : constantText(key);
}
