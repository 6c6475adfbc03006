import { type JsonObject, type JsonValue, ownValue, toJsonObject } from "../../schemas/json/json.ts";
import { type CleanSchema, cleanSchema } from "../../schemas/json-schema/clean-schema.ts";
import { toDeclarationSchema } from "../types/declaration-schema.ts";
import { describeBriefly } from "./describe-briefly.ts";
import { type CompactType, printCompactType, type TypeBounds, type TypePlace } from "./print-compact-type.ts";
import { ASSERTIONS, type Direction, type CleanNode } from "../../schemas/json-schema/keywords.ts";
import type { ResultShape } from "../../schemas/observed/result-shape.ts";
import type { Shape } from "../../schemas/observed/shape.ts";
import { toClosedSchema } from "../../schemas/observed/shape-schema.ts";

interface Shortening extends TypeBounds {
  /** The longest description of a property. */
  comment: number;
}

/** Tried one after the other until a type is short enough: comments go first, then what is deep inside. */
const SHORTENINGS: readonly Shortening[] = [
  { comment: 120, depth: 8, members: 60 },
  { comment: 60, depth: 6, members: 40 },
  { comment: 30, depth: 4, members: 24 },
  { comment: 0, depth: 3, members: 16 },
  { comment: 0, depth: 2, members: 12 },
  { comment: 0, depth: 1, members: 8 },
];

/** Characters; about four make a token. Scripts need the input whole more often than the output. */
const LONGEST: Readonly<Record<Direction, number>> = { input: 2000, output: 1000 };

/**
 * Prints a type in the first form that is short enough.
 * @param longest in characters
 */
export function printShortly(clean: CleanSchema, place: TypePlace, longest = LONGEST[place.direction]): CompactType {
  let type: CompactType = { text: "unknown", isCut: true };
  for (const shortening of SHORTENINGS) {
    type = printType(clean, place, shortening);
    if (type.text.length <= longest) return type;
  }
  return type.text.length <= 2 * longest ? type : { text: "unknown /*…*/", isCut: true };
}

function printType(clean: CleanSchema, place: TypePlace, { comment, ...bounds }: Shortening): CompactType {
  const wording = {
    openObjects: "closed" as const,
    typeNameOf: (reference: string) => reference,
    describe: (node: JsonObject) => describeBriefly(node, comment),
  };
  const nodes = [...pruneSchema(clean, bounds.depth)];
  const schemas = new Map(nodes.map(([reference, node]) => [reference, toDeclarationSchema(node, wording)]));
  return printCompactType(schemas.get("#") ?? {}, schemas, place, bounds);
}

/** Stands where something was left out: a reference to nothing. */
const PRUNED = "#pruned";

/** Parts of one schema that are kept, and how far they may be inside of one another. */
const MAX_NODES = 1500;
const MAX_NESTING = 40;
/** More than a short signature shows, so that the printer sees that there is more. */
const MAX_OPTIONAL = 100;
const MAX_MEMBERS = 100;
const MAX_REQUIRED = 300;

/**
 * Cuts a schema down to what a short signature can show, so that a schema of any size costs little to print.
 * @param depth how many objects within one another are kept
 * @returns the root as `#` and the definitions that are still referred to, by their reference
 */
function pruneSchema(clean: CleanSchema, depth: number): Map<string, CleanNode> {
  const references = new Set(["#"]);
  let nodes = 0;

  const prune = (node: CleanNode, level: number, nesting: number): CleanNode => {
    if (typeof node === "boolean") return node;
    nodes += 1;
    if (nodes > MAX_NODES || nesting > MAX_NESTING || level > depth || isTooWide(node)) return { $ref: PRUNED };
    const reference = ownValue(node, "$ref");
    if (typeof reference === "string") references.add(reference);
    const below = (child: CleanNode): CleanNode => prune(child, level + 1, nesting + 1);
    const beside = (child: CleanNode): CleanNode => prune(child, level, nesting + 1);
    return toJsonObject(
      Object.entries(node).map(([keyword, value]) => [keyword, pruneValue(node, keyword, value, { below, beside })]),
    );
  };

  const pruned = new Map<string, CleanNode>();
  // Pruning a definition may find further ones, which join the end of the set.
  for (const reference of references) {
    const node = reference === "#" ? clean.root : clean.definitions.get(reference.slice("#/$defs/".length));
    if (node !== undefined && nodes <= MAX_NODES) pruned.set(reference, prune(node, 0, 0));
  }
  return pruned;
}

interface Pruning {
  /** For what an object holds. */
  below(child: CleanNode): CleanNode;
  /** For what looks at the same value, and for items. */
  beside(child: CleanNode): CleanNode;
}

function pruneValue(node: JsonObject, keyword: string, value: JsonValue, { below, beside }: Pruning): JsonValue {
  if (keyword === "properties") return pruneProperties(node, value as JsonObject, below);
  if (keyword === "enum") return pruneValues(value as JsonValue[]);
  switch (ASSERTIONS.get(keyword)) {
    case "schema":
      return beside(value as CleanNode);
    case "schemas":
      return (value as CleanNode[]).slice(0, MAX_MEMBERS).map(beside);
    case "schemaMap":
    case "patternMap":
      return toJsonObject(Object.entries(value as JsonObject).map(([key, child]) => [key, below(child as CleanNode)]));
    default:
      return value;
  }
}

/** Values of a type that is not among the first stay, so that an output type can name all types. */
function pruneValues(values: readonly JsonValue[]): JsonValue[] {
  const kindOf = (value: JsonValue): string => (value === null ? "null" : typeof value);
  const kinds = new Set(values.slice(0, MAX_MEMBERS).map(kindOf));
  return values.filter((value, index) => index < MAX_MEMBERS || !kinds.has(kindOf(value)));
}

function pruneProperties(node: JsonObject, properties: JsonObject, below: Pruning["below"]): JsonObject {
  const required = new Set(requiredOf(node));
  const entries = Object.entries(properties);
  const needed = entries.filter(([name]) => required.has(name));
  const optional = entries.filter(([name]) => !required.has(name)).slice(0, MAX_OPTIONAL);
  return toJsonObject([...needed, ...optional].map(([name, child]) => [name, below(child as CleanNode)]));
}

/** Where a part cannot be left out without saying something else, all of it is. */
function isTooWide(node: JsonObject): boolean {
  const size = (keyword: string): number => Object.keys((ownValue(node, keyword) ?? {}) as object).length;
  return (
    requiredOf(node).length > MAX_REQUIRED || size("allOf") > MAX_MEMBERS || size("patternProperties") > MAX_MEMBERS
  );
}

function requiredOf(node: JsonObject): JsonValue[] {
  const required = ownValue(node, "required");
  return Array.isArray(required) ? required : [];
}

/**
 * What a binding returns, as it was observed, in one line.
 * @param longest in characters, for each form of the results
 */
export function printResultType({ text, json, structured, blocks }: ResultShape, longest?: number): CompactType {
  const print = (shape: Shape | undefined): CompactType | undefined =>
    shape && printShortly(cleanSchema(toClosedSchema(shape), "output"), { direction: "output", context: "" }, longest);
  const [inside, content] = [print(json), print(structured)];
  const members = [
    ...(text === true && inside === undefined ? ["string"] : []),
    ...(inside === undefined ? [] : [`JsonText<${inside.text}>`]),
    ...(content === undefined ? [] : [content.text]),
    ...(blocks === undefined ? [] : ["McpResult"]),
  ];
  return { text: members.join(" | "), isCut: inside?.isCut === true || content?.isCut === true };
}
