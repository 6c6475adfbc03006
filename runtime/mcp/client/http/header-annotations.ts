import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../../../../schemas/json/json.ts";

const ANNOTATION = "x-mcp-header";

/** RFC 9110, section 5.6.2. */
const HEADER_TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const ANNOTATED_TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);

/** A schema deeper than any honest one could hide an annotation. */
const MAX_DEPTH = 100;

/**
 * What a tool's input schema says of arguments that are to be repeated in `Mcp-Param-*` headers (MCP 2026-07-28,
 * streamable HTTP, schema extension): nothing, something usable, or something for which a client must drop the tool.
 */
export type HeaderAnnotations = "none" | "valid" | "invalid";

export function readHeaderAnnotations(inputSchema: JsonValue | undefined): HeaderAnnotations {
  const names = new Set<string>();
  return isJsonObject(inputSchema) && !isUsable(inputSchema, "root", names, 0)
    ? "invalid"
    : names.size > 0
      ? "valid"
      : "none";
}

/** The headers that repeat the arguments of a call whose schema has valid annotations. */
export function toParamHeaders(inputSchema: JsonValue, input: JsonValue | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  const collect = (schema: JsonValue, value: JsonValue | undefined): void => {
    const name = isJsonObject(schema) ? ownValue(schema, ANNOTATION) : undefined;
    const text = typeof name === "string" ? toHeaderText(value) : undefined;
    if (text !== undefined) headers[`Mcp-Param-${String(name)}`] = text;
    const properties = isJsonObject(schema) ? ownValue(schema, "properties") : undefined;
    if (!isJsonObject(properties) || !isJsonObject(value)) return;
    for (const [key, property] of Object.entries(properties)) collect(property, ownValue(value, key));
  };
  collect(inputSchema, input);
  return headers;
}

/** The parameter that names what a request is about, by its method (MCP 2026-07-28, standard request headers). */
const NAMING_PARAMETER = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** The headers that repeat what a request of MCP 2026-07-28 says of itself; none for another message. */
export function toStandardHeaders({ id, method, params }: JsonObject): Record<string, string> {
  const meta = isJsonObject(params) ? ownValue(params, "_meta") : undefined;
  const version = isJsonObject(meta) ? ownValue(meta, VERSION_KEY) : undefined;
  if (id === undefined || typeof method !== "string" || typeof version !== "string") return {};
  const headers: Record<string, string> = { "mcp-protocol-version": version, "mcp-method": method };
  const name = ownValue(params as JsonObject, NAMING_PARAMETER.get(method) ?? "");
  if (typeof name === "string") headers["mcp-name"] = toHeaderText(name) as string;
  return headers;
}

/** In `_meta` of each request since MCP 2026-07-28. */
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/** Undefined for what no header can say: then it has none. */
function toHeaderText(value: JsonValue | undefined): string | undefined {
  if (typeof value === "boolean" || (typeof value === "number" && !isInexact(value))) return String(value);
  if (typeof value !== "string") return undefined;
  return PLAIN_HEADER.test(value) && !ENCODED_HEADER.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}

function isInexact(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** What a header can carry as it is, and what means something else. */
const PLAIN_HEADER = /^[!-~](?:[\t -~]*[!-~])?$/;
const ENCODED_HEADER = /^=\?base64\?.*\?=$/;

/** Where a schema stands: only properties of properties may be annotated. */
type Place = "root" | "property" | "elsewhere";

function isUsable(schema: JsonObject, place: Place, names: Set<string>, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (Object.hasOwn(schema, ANNOTATION) && !isUsableAnnotation(schema, place, names)) return false;
  return Object.entries(schema).every(([keyword, value]) => {
    if (keyword === "properties" && isJsonObject(value)) {
      const inner = place === "elsewhere" ? "elsewhere" : "property";
      return Object.values(value).every((child) => !isJsonObject(child) || isUsable(child, inner, names, depth + 1));
    }
    if (SCHEMA_MAPS.has(keyword) && isJsonObject(value)) {
      return Object.values(value).every((child) => isUsableElsewhere(child, names, depth));
    }
    if (!SUBSCHEMAS.has(keyword)) return true;
    return (Array.isArray(value) ? value : [value]).every((child) => isUsableElsewhere(child, names, depth));
  });
}

function isUsableElsewhere(schema: JsonValue, names: Set<string>, depth: number): boolean {
  return !isJsonObject(schema) || isUsable(schema, "elsewhere", names, depth + 1);
}

function isUsableAnnotation(schema: JsonObject, place: Place, names: Set<string>): boolean {
  const name = ownValue(schema, ANNOTATION);
  if (place !== "property" || typeof name !== "string" || !HEADER_TOKEN.test(name)) return false;
  if (!ANNOTATED_TYPES.has(ownValue(schema, "type")) || names.has(name.toLowerCase())) return false;
  names.add(name.toLowerCase());
  return true;
}

/** Keywords whose value is a map of schemas, or one schema or several. */
const SCHEMA_MAPS = new Set(["$defs", "definitions", "dependentSchemas", "patternProperties"]);
const SUBSCHEMAS = new Set([
  "additionalProperties",
  "allOf",
  "anyOf",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "oneOf",
  "prefixItems",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
