import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json/json.ts";
import type { CleanNode } from "./keywords.ts";
import type { CleanSchema } from "./clean-schema.ts";

/** References are followed this far: a recursive schema has no smallest example of its own. */
const MAX_DEPTH = 8;

/** Lists above this depth hold an item even where they need none, to show what belongs in them. */
const SHOWN_DEPTH = 4;

const TEXTS: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  email: "name@example.com",
  ipv4: "192.0.2.1",
  time: "12:00:00Z",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/**
 * Inputs that a schema may accept, the best first: its own examples, then one made of its required parts.
 * They are guesses, and must be validated before they are shown.
 */
export function planExamples(clean: CleanSchema): JsonValue[] {
  const { root } = clean;
  if (typeof root === "boolean") return [];
  const given = ownValue(root, "examples");
  return [...(Array.isArray(given) ? given : []), makeExample(root, clean, 0)];
}

function makeExample(node: CleanNode, clean: CleanSchema, depth: number): JsonValue {
  if (typeof node === "boolean" || depth > MAX_DEPTH) return null;
  const below = (child: CleanNode): JsonValue => makeExample(child, clean, depth + 1);
  const chosen = chosenValue(node);
  if (chosen !== undefined) return chosen;
  const reference = ownValue(node, "$ref");
  const target = typeof reference === "string" ? definitionOf(reference, clean) : undefined;
  const [choice] = [...nodesOf(node, "anyOf"), ...nodesOf(node, "oneOf")];
  const parts = [
    ...(target === undefined ? [] : [target]),
    ...nodesOf(node, "allOf"),
    ...(choice === undefined ? [] : [choice]),
  ];
  const values = parts.map(below);
  if (parts.length > 0 && !Object.hasOwn(node, "properties"))
    return values.every(isJsonObject) ? merge(values) : (values[0] ?? null);
  const own = makeTyped(node, below, depth < SHOWN_DEPTH ? 1 : 0);
  return isJsonObject(own) ? merge([...values.filter(isJsonObject), own]) : own;
}

/** A value that the schema names. */
function chosenValue(node: JsonObject): JsonValue | undefined {
  const first = (keyword: string): JsonValue | undefined => {
    const values = ownValue(node, keyword);
    return Array.isArray(values) ? values[0] : undefined;
  };
  return ownValue(node, "const") ?? first("examples") ?? ownValue(node, "default") ?? first("enum");
}

function makeTyped(node: JsonObject, below: (child: CleanNode) => JsonValue, fewestItems: number): JsonValue {
  const [type] = [ownValue(node, "type") ?? guessType(node)].flat();
  switch (type) {
    case "object":
      return makeObject(node, below);
    case "array": {
      const items = ownValue(node, "items") ?? true;
      const first = nodesOf(node, "prefixItems");
      const least = Math.max(Number(ownValue(node, "minItems") ?? 0), fewestItems);
      const count = Math.min(least, Number(ownValue(node, "maxItems") ?? least), 10);
      return Array.from({ length: count }, (_item, index) => below(first[index] ?? (items as CleanNode)));
    }
    case "string":
      return makeText(node);
    case "integer":
    case "number":
      return makeNumber(node);
    case "boolean":
      return true;
    default:
      return null;
  }
}

function guessType(node: JsonObject): string {
  return Object.hasOwn(node, "properties") || Object.hasOwn(node, "required") ? "object" : "string";
}

function makeObject(node: JsonObject, below: (child: CleanNode) => JsonValue): JsonObject {
  const properties = ownValue(node, "properties");
  const required = (ownValue(node, "required") ?? []) as string[];
  return toJsonObject(
    required.map((name) => {
      const property = isJsonObject(properties) ? ownValue(properties, name) : undefined;
      return [name, below((property ?? { type: "string" }) as CleanNode)];
    }),
  );
}

function makeText(node: JsonObject): string {
  const format = ownValue(node, "format");
  const text = (typeof format === "string" && Object.hasOwn(TEXTS, format) ? TEXTS[format] : undefined) ?? "text";
  const least = Math.min(Number(ownValue(node, "minLength") ?? 0), 200);
  return text.padEnd(least, "x").slice(0, Number(ownValue(node, "maxLength") ?? Infinity));
}

function makeNumber(node: JsonObject): number {
  const limit = (keyword: string): number | undefined => ownValue(node, keyword) as number | undefined;
  const step = limit("multipleOf") ?? 1;
  const above = limit("exclusiveMinimum");
  const least = limit("minimum") ?? (above === undefined ? undefined : above + step);
  const most = limit("maximum") ?? limit("exclusiveMaximum");
  if (least !== undefined) return Math.ceil(least / step) * step;
  return most !== undefined && most <= step ? Math.floor((most - step) / step) * step : step;
}

function definitionOf(reference: string, clean: CleanSchema): CleanNode | undefined {
  return reference === "#" ? clean.root : clean.definitions.get(reference.replace("#/$defs/", ""));
}

function nodesOf(node: JsonObject, keyword: string): CleanNode[] {
  const value = ownValue(node, keyword);
  return Array.isArray(value) ? (value as CleanNode[]) : [];
}

function merge(objects: readonly JsonObject[]): JsonObject {
  return toJsonObject(objects.flatMap((object) => Object.entries(object)));
}
