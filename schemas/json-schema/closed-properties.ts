import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json.ts";
import { type CleanNode } from "./clean-node.ts";
import { type CleanSchema } from "./clean-schema.ts";
import { ASSERTIONS } from "./keywords.ts";

/**
 * The property names of every schema that allows no other ones, by the pointer to the schema as ajv's errors give it
 * (`#`, `#/properties/a`): who misspelt a name can be told the right one.
 */
export function closedProperties(clean: CleanSchema): { [pointer: string]: string[] } {
  const nodes = [["#", clean.root] as const, ...[...clean.definitions].map(toDefinition)];
  return toJsonObject(nodes.flatMap(([pointer, node]) => findClosed(node, pointer))) as { [pointer: string]: string[] };
}

function toDefinition([name, node]: [string, CleanNode]): readonly [string, CleanNode] {
  return [`#/$defs/${name}`, node];
}

function findClosed(node: CleanNode, pointer: string): [string, string[]][] {
  if (typeof node === "boolean") return [];
  const properties = ownValue(node, "properties");
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const isClosed = ["additionalProperties", "unevaluatedProperties"].some(
    (keyword) => ownValue(node, keyword) === false,
  );
  const own: [string, string[]][] = isClosed && names.length > 0 ? [[pointer, names]] : [];
  const below = Object.entries(node).flatMap(([keyword, value]) =>
    schemasOf(keyword, value).flatMap(([step, child]) => findClosed(child, `${pointer}/${keyword}${step}`)),
  );
  return [...own, ...below];
}

/** The schemas in the value of a keyword, each with its step from there. */
function schemasOf(keyword: string, value: JsonValue): [string, CleanNode][] {
  switch (ASSERTIONS.get(keyword)) {
    case "schema":
      return [["", value as CleanNode]];
    case "schemas":
      return (value as CleanNode[]).map((child, index) => [`/${index}`, child]);
    case "schemaMap":
    case "patternMap":
      return Object.entries(value as JsonObject).map(([name, child]) => [`/${escapeStep(name)}`, child as CleanNode]);
    default:
      return [];
  }
}

/** One step of a JSON pointer in a URI fragment (RFC 6901, 6). */
function escapeStep(step: string): string {
  return encodeURIComponent(step.replace(/~/g, "~0").replace(/\//g, "~1"));
}
