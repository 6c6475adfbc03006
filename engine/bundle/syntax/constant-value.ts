import { type JsonValue, toJsonObject } from "../../../schemas/json/json.ts";
import { childNode, childNodes, constantText, isSyntaxNode, nameOf, type SyntaxNode } from "./syntax-tree.ts";

/** Initial values of the module's `const` variables, by name. */
export type Constants = ReadonlyMap<string, SyntaxNode>;

/** How many variables may lead to one another before the value is called unknown. */
const MAX_HOPS = 10;

/**
 * The JSON value that an expression is known to have without running anything: literals, arrays and objects of them, and
 * `const` variables that hold such. Undefined for everything else.
 */
export function constantValue(node: SyntaxNode, constants: Constants, hops = MAX_HOPS): JsonValue | undefined {
  switch (node.type) {
    case "Literal":
      return isJsonScalar(node["value"]) && node["regex"] === undefined ? node["value"] : undefined;
    case "TemplateLiteral":
      return constantText(node);
    case "UnaryExpression":
      return negatedNumber(node);
    case "ArrayExpression":
      return constantArray(node, constants, hops);
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

function constantArray(node: SyntaxNode, constants: Constants, hops: number): JsonValue[] | undefined {
  const items: JsonValue[] = [];
  for (const element of node["elements"] as unknown[]) {
    const value = isSyntaxNode(element) ? constantValue(element, constants, hops) : undefined;
    if (value === undefined) return undefined;
    items.push(value);
  }
  return items;
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
