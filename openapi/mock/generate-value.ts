import { kindsAt } from "../document/kinds.ts";
import { follow, type Placed, pointTo } from "../document/pointer.ts";
import { matchPattern, type PatternBudget } from "./match-pattern.ts";
import { arrayAt, fromMembers, type Json, type JsonObject, isObject, member, objectAt, textAt } from "../json.ts";

/** A schema that wants itself within itself without end stops here. */
const MAX_DEPTH = 12;
const MAX_ITEMS = 20;

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2024-01-01T00:00:00Z",
  date: "2024-01-01",
  time: "00:00:00Z",
  duration: "P1D",
  email: "ada@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  url: "https://example.com/",
  "uri-reference": "/example",
  "uri-template": "https://example.com/{id}",
  uuid: "00000000-0000-4000-8000-000000000000",
  byte: "bW9jaw==",
  base64: "bW9jaw==",
};

/** Values within one; schemas that refer twice to each other would double them at each step. */
const MAX_VALUES = 5_000;

/** The schemas that a value is within, and how many values may still be made. */
interface Trail {
  places: readonly string[];
  budget: { left: number; patterns: PatternBudget };
  usesExamples: boolean;
}

/** A value that fits a schema: its example, else one from its keywords. The same schema gives the same value. */
export function generateValue(root: JsonObject, schema: Placed, usesExamples: boolean): Json {
  return orAny(generate(root, schema, { places: [], budget: { left: MAX_VALUES, patterns: {} }, usesExamples }));
}

/** Where any value fits, an object does. */
function orAny(value: Json | undefined): Json {
  return value === undefined ? {} : value;
}

/** A schema that says nothing gives nothing: beside others in `allOf` it would count as an object. */
function generate(root: JsonObject, schema: Placed, outer: Trail): Json | undefined {
  const { value, pointer } = follow(root, schema.value, schema.pointer);
  const { places, budget, usesExamples } = outer;
  budget.left -= 1;
  if (!isObject(value) || places.length > MAX_DEPTH * 2 || budget.left < 0) return undefined;
  const trail: Trail = { places: [...places, pointer], budget, usesExamples };
  const given = givenValue(value, usesExamples);
  if (given !== undefined) return given;
  const kinds = kindsAt(root, { value, pointer }, schema.pointer);
  const [kind] = kinds?.kinds ?? [];
  if (kinds !== undefined && kind !== undefined && kind.schema.value !== value) {
    const chosen = generate(root, kind.schema, trail);
    const [word] = kind.values;
    return isObject(chosen) && word !== undefined ? { ...chosen, [kinds.property]: word } : chosen;
  }
  const at = (child: Json, ...names: (string | number)[]): Placed => ({
    value: child,
    pointer: pointTo(pointer, ...names),
  });
  const branches = arrayAt(value, "allOf").map((part, index) => generate(root, at(part, "allOf", index), trail));
  const choice = (["oneOf", "anyOf"] as const).find((name) => arrayAt(value, name).length > 0);
  if (choice !== undefined) {
    const first = arrayAt(value, choice)[0] ?? {};
    const chosen = generate(root, at(first, choice, 0), trail);
    branches.push(isObject(chosen) ? discriminated(value, first, chosen) : chosen);
  }
  const parts = [...branches, generateByType(root, { value, pointer }, trail)].filter((part) => part !== undefined);
  const objects = parts.filter(isObject);
  return objects.length > 1 ? fromMembers(objects.flatMap((object) => Object.entries(object))) : parts.at(0);
}

function givenValue(schema: JsonObject, usesExamples: boolean): Json | undefined {
  const examples = usesExamples ? [member(schema, "example"), arrayAt(schema, "examples")[0]] : [];
  const listed = [member(schema, "const"), ...examples, member(schema, "default")];
  return listed.find((value) => value !== undefined) ?? arrayAt(schema, "enum")[0];
}

/** The first branch has the value that stands for it. */
function discriminated(schema: JsonObject, branch: Json, chosen: JsonObject): JsonObject {
  const discriminator = objectAt(schema, "discriminator") ?? {};
  const property = textAt(discriminator, "propertyName");
  const reference = isObject(branch) ? textAt(branch, "$ref") : undefined;
  if (property === undefined || reference === undefined) return chosen;
  const mapped = Object.entries(objectAt(discriminator, "mapping") ?? {}).find(([, target]) => target === reference);
  return { ...chosen, [property]: mapped?.[0] ?? reference.split("/").at(-1) ?? "" };
}

function typeOf(schema: JsonObject): string | undefined {
  const said = member(schema, "type");
  const type = Array.isArray(said) ? (said.find((one) => one !== "null") ?? "null") : said;
  if (typeof type === "string") return type;
  if (objectAt(schema, "properties") !== undefined) return "object";
  return member(schema, "items") === undefined ? undefined : "array";
}

function generateByType(root: JsonObject, schema: Placed<JsonObject>, trail: Trail): Json | undefined {
  const { value } = schema;
  switch (typeOf(value)) {
    case "object":
      return generateObject(root, schema, trail);
    case "array":
      return generateArray(root, schema, trail);
    case "string":
      return generateText(value, trail.budget.patterns);
    case "integer":
      return generateNumber(value, 1);
    case "number":
      return generateNumber(value, 0);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return undefined;
  }
}

function generateObject(root: JsonObject, { value, pointer }: Placed<JsonObject>, trail: Trail): JsonObject {
  const properties = objectAt(value, "properties") ?? {};
  const required = new Set(arrayAt(value, "required"));
  const names = Object.keys(properties).filter((name) => {
    const property = objectAt(properties, name) ?? {};
    if (member(property, "writeOnly") === true) return false;
    return required.has(name) || !isWithin(root, property, pointTo(pointer, "properties", name), trail);
  });
  return fromMembers(
    names.map((name) => {
      const child: Placed = { value: properties[name] ?? {}, pointer: pointTo(pointer, "properties", name) };
      return [name, orAny(generate(root, child, trail))];
    }),
  );
}

function generateArray(root: JsonObject, { value, pointer }: Placed<JsonObject>, trail: Trail): Json[] {
  const least = Number(member(value, "minItems") ?? 0);
  const most = Number(member(value, "maxItems") ?? MAX_ITEMS);
  const items = member(value, "items") ?? {};
  const wanted = isWithin(root, items, pointTo(pointer, "items"), trail) ? least : Math.max(1, least);
  const prefix = arrayAt(value, "prefixItems").map((item, index) =>
    orAny(generate(root, { value: item, pointer: pointTo(pointer, "prefixItems", index) }, trail)),
  );
  const count = Math.max(0, Math.min(wanted, most, MAX_ITEMS) - prefix.length);
  const item: Placed = { value: items, pointer: pointTo(pointer, "items") };
  return [...prefix, ...Array.from({ length: count }, () => orAny(generate(root, item, trail)))];
}

/** Whether a value would go on within itself, or too deep. */
function isWithin(root: JsonObject, schema: Json, pointer: string, trail: Trail): boolean {
  return trail.places.length > MAX_DEPTH || trail.places.includes(follow(root, schema, pointer).pointer);
}

function generateText(schema: JsonObject, patterns: PatternBudget): string {
  const known = FORMATS[textAt(schema, "format") ?? ""];
  if (known !== undefined) return known;
  const least = Math.min(Number(member(schema, "minLength") ?? 0), 10_000);
  const pattern = textAt(schema, "pattern");
  const matching = pattern === undefined ? undefined : matchPattern(pattern, least, patterns);
  if (matching !== undefined) return matching;
  const most = Number(member(schema, "maxLength") ?? Number.POSITIVE_INFINITY);
  return "text".repeat(Math.max(1, Math.ceil(least / 4))).slice(0, Math.max(least, Math.min(4, most)));
}

function generateNumber(schema: JsonObject, step: number): number {
  const bound = (name: string): number | undefined => {
    const value = member(schema, name);
    return typeof value === "number" ? value : undefined;
  };
  const multiple = bound("multipleOf") ?? step;
  const above = bound("exclusiveMinimum");
  const below = bound("exclusiveMaximum");
  const least = above === undefined ? bound("minimum") : above + (multiple || 0.5);
  const most = below === undefined ? bound("maximum") : below - (multiple || 0.5);
  const wanted = Math.min(Math.max(1, least ?? 1), most ?? Number.POSITIVE_INFINITY);
  return multiple > 0 ? Math.ceil(wanted / multiple) * multiple : wanted;
}
