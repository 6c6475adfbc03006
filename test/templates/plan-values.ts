import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../../schemas/json/json.ts";
import type { CleanNode } from "../../schemas/json-schema/keywords.ts";
import type { CleanSchema } from "../../schemas/json-schema/clean-schema.ts";
import { planExamples } from "../../schemas/json-schema/plan-examples.ts";

const MAX_DEPTH = 4;
const MAX_VALUES = 400;
const OTHERS: readonly JsonValue[] = [null, true, 7, -0.5, "", "text", [], ["text"], {}, { other: 1 }];

/** Values for and against a schema: examples of it with all that is optional, and each of them with one part changed or gone. */
export function planValues(clean: CleanSchema): JsonValue[] {
  const examples = [...planExamples(clean), ...fullExamples(clean.root, clean, 0), ...OTHERS];
  const texts = new Set(
    examples.flatMap((example) => [example, ...changes(example)]).map((value) => JSON.stringify(value)),
  );
  return [...texts].slice(0, MAX_VALUES).map((text) => JSON.parse(text) as JsonValue);
}

/** One value for each branch of the schema, with all properties that it names. */
function fullExamples(node: CleanNode, clean: CleanSchema, depth: number): JsonValue[] {
  if (typeof node === "boolean" || depth > MAX_DEPTH) return [];
  const below = (child: JsonValue): JsonValue[] => fullExamples(child as CleanNode, clean, depth + 1);
  const branches = ["anyOf", "oneOf", "allOf", "prefixItems"].flatMap((keyword) =>
    listOf(node, keyword).flatMap(below),
  );
  const target = referredTo(node, clean);
  const found = [
    ...planExamples({ ...clean, root: node }),
    ...branches,
    ...(target === undefined ? [] : below(target)),
  ];
  const properties = ownValue(node, "properties");
  if (isJsonObject(properties)) found.push(...objectsOf(properties, found.find(isJsonObject) ?? {}, below));
  const items = ownValue(node, "items");
  if (isJsonObject(items)) found.push(...below(items).map((item) => [item]));
  return [...listOf(node, "enum"), ...found];
}

/** All properties at once, and each further value of a property in its place. */
function objectsOf(properties: JsonObject, base: JsonObject, below: (child: JsonValue) => JsonValue[]): JsonObject[] {
  const known = Object.entries(properties).map(([name, child]) => [name, below(child)] as const);
  const all = {
    ...base,
    ...toJsonObject(known.flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first]]))),
  };
  return [all, ...known.flatMap(([name, values]) => values.slice(1).map((value) => withProperty(all, name, value)))];
}

function referredTo(node: JsonObject, clean: CleanSchema): CleanNode | undefined {
  const reference = ownValue(node, "$ref");
  if (typeof reference !== "string") return undefined;
  return reference === "#" ? clean.root : clean.definitions.get(reference.replace("#/$defs/", ""));
}

/** The value with one part of it changed, gone or added. */
function changes(value: JsonValue): JsonValue[] {
  if (Array.isArray(value))
    return [
      [...value, ...value],
      ...value.flatMap((item, index) => [...OTHERS, ...changes(item)].map((other) => value.with(index, other))),
    ];
  if (!isJsonObject(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const { [name]: part = null, ...rest } = value;
    return [rest, ...[...OTHERS, ...changes(part)].map((other) => withProperty(value, name, other))];
  });
}

/** A copy with one property of any name. */
function withProperty(object: JsonObject, name: string, value: JsonValue): JsonObject {
  return toJsonObject([...Object.entries(object).filter(([key]) => key !== name), [name, value]]);
}

function listOf(node: JsonObject, keyword: string): JsonValue[] {
  const value = ownValue(node, keyword);
  return Array.isArray(value) ? value : [];
}
