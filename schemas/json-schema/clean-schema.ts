import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json/json.ts";
import {
  FORMATS,
  ANNOTATIONS,
  ASSERTIONS,
  checkKeyword,
  type CleanNode,
  type Dialect,
  dialectOf,
  type Direction,
  type KeywordShape,
  mapSubschemas,
  SCHEMA_HOLDERS,
  type SchemaProblem,
  toLatestDialect,
} from "./keywords.ts";
import {
  cutChains,
  cutCircles,
  indexReferences,
  MAX_SCHEMA_DEPTH,
  type References,
  type ReferenceTarget,
} from "./references.ts";

/**
 * A schema of a server without its broken or unsafe parts, converted to 2020-12. Its references are `#` or `#/$defs/NAME` with NAME in `definitions`.
 */
export interface CleanSchema {
  dialect: Dialect;
  root: CleanNode;
  /** Everything that references point to, in the order found. */
  definitions: ReadonlyMap<string, CleanNode>;
  problems: readonly SchemaProblem[];
}

/** Parts of a schema that are read, references followed; the largest known has some thousands. */
const MAX_NODES = 50_000;

/** What every step of one cleaning shares. */
interface Cleaning {
  dialect: Dialect;
  /** The name of the definition that a reference target gets; undefined when there are too many. */
  nameOf(target: ReferenceTarget): string | undefined;
  references: References;
  problems: SchemaProblem[];
  nodes: number;
  document: JsonValue;
}

/** More than any known schema has; each may cost a validator a level of its stack. */
const MAX_DEFINITIONS = 1000;

const DEFINITIONS = "#/$defs/";

/**
 * Cleans the schema of a tool. It never throws: what cannot be understood accepts any value and is named in `problems`.
 * @param direction an input schema accepts what servers accept that print it (`toAcceptedInput`); an output schema means what it says
 */
export function cleanSchema(schema: JsonValue, direction: Direction): CleanSchema {
  const document = direction === "input" ? toAcceptedInput(schema) : schema;
  const dialect = dialectOf(document);
  const queue: { name: string; schema: JsonValue }[] = [];
  const names = new Map<JsonValue, string>();
  const taken = new Set<string>();
  const cleaning: Cleaning = {
    dialect,
    document,
    references: indexReferences(document, dialect),
    problems: [],
    nodes: 0,
    nameOf(target) {
      const known = names.get(target.schema);
      if (known !== undefined || names.size === MAX_DEFINITIONS) return known;
      const name = freeName(toDefinitionName(target.name), taken);
      taken.add(name);
      names.set(target.schema, name);
      queue.push({ name, schema: target.schema });
      return name;
    },
  };
  const nodes = new Map([["#", cleanNode(document, "", 0, cleaning)]]);
  // Cleaning a definition may find further ones, which join the end of the queue.
  for (const { name, schema: part } of queue)
    nodes.set(DEFINITIONS + name, cleanNode(part, `/$defs/${name}`, 0, cleaning));
  const bounded = cutChains(cutCircles(nodes, cleaning.problems), cleaning.problems);
  const [[, root], ...others] = [...bounded] as [[string, CleanNode], ...[string, CleanNode][]];
  const definitions = new Map(others.map(([reference, node]) => [reference.slice(DEFINITIONS.length), node]));
  return { dialect, root, definitions, problems: cleaning.problems };
}

/** The clean schema as one self-contained document without annotations, for a validator. */
export function toSchemaDocument(clean: CleanSchema): JsonObject {
  const root = withoutAnnotations(clean.root);
  const document: JsonObject = typeof root === "boolean" ? (root ? {} : { not: {} }) : root;
  if (clean.definitions.size === 0) return document;
  const definitions = [...clean.definitions].map(([name, node]) => [name, withoutAnnotations(node)] as const);
  return toJsonObject([...Object.entries(document), ["$defs", toJsonObject(definitions)]]);
}

/** Leaves what checks: a validator carries no text of a server but the values, patterns and names that it compares with. */
function withoutAnnotations(node: CleanNode): CleanNode {
  if (typeof node === "boolean") return node;
  const entries = Object.entries(node).filter(([keyword, value]) => checksValues(keyword, value));
  return toJsonObject(entries.map(([keyword, value]) => [keyword, mapSubschemas(keyword, value, withoutAnnotations)]));
}

/** Formats are left to the server but for those known here: ajv must never look up a name that a server chose. */
function checksValues(keyword: string, value: JsonValue): boolean {
  if (keyword === "format") return typeof value === "string" && FORMATS.has(value);
  return !ANNOTATIONS.has(keyword);
}

function cleanNode(node: JsonValue, pointer: string, depth: number, cleaning: Cleaning): CleanNode {
  if (typeof node === "boolean") return node;
  const drop = (message: string): CleanNode => {
    cleaning.problems.push({ pointer, message });
    return true;
  };
  if (!isJsonObject(node)) return drop("is not a schema");
  if (depth > MAX_SCHEMA_DEPTH) return drop("is nested too deep");
  cleaning.nodes += 1;
  if (cleaning.nodes > MAX_NODES)
    return cleaning.nodes === MAX_NODES + 1 ? drop("and all after it are too much to read") : true;
  const latest = toLatestDialect(node, cleaning.dialect);
  const entries = new Map<string, JsonValue>();
  const weakened = new Set<string>();
  for (const [keyword, value] of Object.entries(latest)) {
    const shape = ASSERTIONS.get(keyword) ?? ANNOTATIONS.get(keyword);
    if (shape === undefined) continue;
    const at = `${pointer}/${escapeStep(keyword)}`;
    const problem = checkKeyword(shape, value);
    const known = cleaning.problems.length;
    if (problem === undefined) entries.set(keyword, cleanValue(shape, value, at, depth, cleaning));
    else if (ASSERTIONS.has(keyword)) cleaning.problems.push({ pointer: at, message: problem });
    if (cleaning.problems.length > known) weakened.add(keyword);
  }
  if (acceptsNothing(latest)) return false;
  keepAccepting(entries, weakened);
  const reference = cleanReference(node, latest, pointer, cleaning);
  return toJsonObject(reference === undefined ? entries : [["$ref", reference], ...entries]);
}

/** `{ not: {} }` is how zod 3 and the Go SDK print `false`. */
function acceptsNothing(node: JsonObject): boolean {
  const excluded = ownValue(node, "not");
  return excluded === true || (isJsonObject(excluded) && Object.keys(excluded).length === 0);
}

/** What is dropped inside of `not`, `if` and `oneOf` would make them refuse more; elsewhere it only accepts more. */
function keepAccepting(entries: Map<string, JsonValue>, weakened: ReadonlySet<string>): void {
  if (weakened.has("not")) entries.delete("not");
  if (weakened.has("if")) for (const keyword of ["if", "then", "else"]) entries.delete(keyword);
  const branches = weakened.has("oneOf") ? entries.get("oneOf") : undefined;
  if (branches === undefined) return;
  entries.delete("oneOf");
  if (!entries.has("anyOf")) entries.set("anyOf", branches);
}

function cleanReference(node: JsonObject, latest: JsonObject, pointer: string, cleaning: Cleaning): string | undefined {
  for (const keyword of ["$ref", "$dynamicRef"] as const) {
    const reference = ownValue(latest, keyword);
    if (reference === undefined) continue;
    const find = keyword === "$ref" ? cleaning.references.find : cleaning.references.findDynamic;
    const target = typeof reference === "string" ? find(node, reference) : undefined;
    if (target !== undefined && target.schema === cleaning.document) return "#";
    const name = target === undefined ? undefined : cleaning.nameOf(target);
    if (name !== undefined) return DEFINITIONS + name;
    const reason = target === undefined ? "which is not in the schema" : "one of too many";
    const message = `refers to ${JSON.stringify(reference)}, ${reason}; any value is accepted there`;
    cleaning.problems.push({ pointer: `${pointer}/${keyword}`, message });
  }
  return undefined;
}

function cleanValue(
  shape: KeywordShape,
  value: JsonValue,
  pointer: string,
  depth: number,
  cleaning: Cleaning,
): JsonValue {
  switch (shape) {
    case "schema":
      return cleanNode(value, pointer, depth + 1, cleaning);
    case "schemas":
      return (value as JsonValue[]).map((item, index) => cleanNode(item, `${pointer}/${index}`, depth + 1, cleaning));
    case "schemaMap":
      return cleanMembers(value as JsonObject, pointer, depth, cleaning);
    case "patternMap": {
      const members = Object.entries(value as JsonObject).filter(([pattern]) => {
        const problem = checkKeyword("pattern", pattern);
        if (problem !== undefined) cleaning.problems.push({ pointer, message: problem });
        return problem === undefined;
      });
      return cleanMembers(toJsonObject(members), pointer, depth, cleaning);
    }
    default:
      return value;
  }
}

function cleanMembers(members: JsonObject, pointer: string, depth: number, cleaning: Cleaning): JsonObject {
  const isText = ([key]: [string, JsonValue]): boolean => !/\p{Surrogate}/u.test(key);
  const entries = Object.entries(members);
  if (!entries.every(isText)) {
    cleaning.problems.push({ pointer, message: "has a name with half a character; it is not checked" });
  }
  return toJsonObject(
    entries
      .filter(isText)
      .map(([key, schema]) => [key, cleanNode(schema, `${pointer}/${escapeStep(key)}`, depth + 1, cleaning)]),
  );
}

/** One step of a JSON pointer (RFC 6901, 3). */
function escapeStep(step: string): string {
  return step.replace(/~/g, "~0").replace(/\//g, "~1");
}

/** Definitions get names that need no escaping in a reference. */
function toDefinitionName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_|_$/g, "");
  return safe === "" ? "value" : safe;
}

function freeName(base: string, taken: ReadonlySet<string>): string {
  let name = base;
  for (let count = 2; taken.has(name); count += 1) name = `${base}${count}`;
  return name;
}

/** Keywords by which a root without `type` may still be something else than an object. */
export const COMPOSING_KEYWORDS = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "enum", "const"] as const;

/**
 * Cleans the input schema of a tool. In MCP an input is an object, also where its schema leaves that out;
 * a tool without a usable schema accepts any object.
 */
export function cleanInputSchema(schema: JsonValue | undefined): CleanSchema {
  if (!isJsonObject(schema)) {
    const message = `${schema === undefined ? "is missing" : "is not a schema"}; any object is accepted`;
    return {
      dialect: "2020-12",
      root: { type: "object" },
      definitions: new Map(),
      problems: [{ pointer: "", message }],
    };
  }
  const clean = cleanSchema(schema, "input");
  const { root } = clean;
  if (typeof root === "boolean" || Object.hasOwn(root, "type")) return clean;
  const isComposed = COMPOSING_KEYWORDS.some((keyword) => Object.hasOwn(root, keyword));
  return isComposed && !Object.hasOwn(root, "properties") ? clean : { ...clean, root: { type: "object", ...root } };
}

/**
 * Rewrites the input schema that a server prints into the one that it acts on. Generators describe the value after the
 * server has filled in its defaults, so two of their habits refuse inputs that the server accepts:
 *
 * - a property with a `default` is `required` (zod 4 in output mode, pydantic in serialization mode, TypeBox)
 * - the parts of an intersection are each closed, so that together they refuse everything (zod 4 in output mode)
 *
 * What needs no change is returned as it is.
 */
export function toAcceptedInput(document: JsonValue): JsonValue {
  return rewrite(document, makeDefaultSearch(document), 0);
}

/** Tells whether a server fills in what has this schema. */
type HasDefault = (schema: JsonValue) => boolean;

/** `.default("a").nullable()` prints the default into a branch; a named type prints it behind a reference. */
function makeDefaultSearch(document: JsonValue): HasDefault {
  let references: References | undefined;
  const known = new Map<JsonObject, boolean>();
  const resolve = (from: JsonObject): JsonValue[] => {
    const reference = ownValue(from, "$ref");
    if (typeof reference !== "string") return [];
    references ??= indexReferences(document, dialectOf(document));
    const target = references.find(from, reference)?.schema;
    return target === undefined ? [] : [target];
  };
  const hasDefault = (schema: JsonValue, depth: number): boolean => {
    if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH) return false;
    const before = known.get(schema);
    if (before !== undefined) return before;
    // Where a schema leads back to itself, that way finds nothing.
    known.set(schema, false);
    const parts = [...resolve(schema), ...schemasOf(schema, "anyOf"), ...schemasOf(schema, "oneOf")];
    const found = Object.hasOwn(schema, "default") || parts.some((part) => hasDefault(part, depth + 1));
    known.set(schema, found);
    return found;
  };
  return (schema) => hasDefault(schema, 0);
}

function rewrite(node: JsonValue, hasDefault: HasDefault, depth: number): JsonValue {
  if (!isJsonObject(node) || depth > MAX_SCHEMA_DEPTH) return node;
  const changed = new Map<string, JsonValue | undefined>();
  const required = requiredNames(node, hasDefault);
  if (required !== undefined) changed.set("required", required.length === 0 ? undefined : required);
  const parts = openParts(node);
  if (parts !== undefined) changed.set("allOf", parts);
  for (const [keyword, holder] of SCHEMA_HOLDERS) {
    const value = changed.get(keyword) ?? ownValue(node, keyword);
    const below = value === undefined ? undefined : rewriteHeld(value, holder, hasDefault, depth + 1);
    if (below !== value) changed.set(keyword, below);
  }
  if (changed.size === 0) return node;
  const entries = Object.entries(node).map(
    ([key, value]) => [key, changed.has(key) ? changed.get(key) : value] as const,
  );
  return toJsonObject(entries.filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined));
}

function rewriteHeld(
  value: JsonValue,
  holder: "schema" | "schemaMap",
  hasDefault: HasDefault,
  depth: number,
): JsonValue {
  if (Array.isArray(value)) {
    const items = value.map((item) => rewrite(item, hasDefault, depth));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (holder === "schema" || !isJsonObject(value)) return rewrite(value, hasDefault, depth);
  const members = Object.entries(value).map(([key, child]) => [key, rewrite(child, hasDefault, depth)] as const);
  return members.every(([key, child]) => child === value[key]) ? value : toJsonObject(members);
}

/** The required names that the server does not fill in; undefined where all stay. */
function requiredNames(node: JsonObject, hasDefault: HasDefault): JsonValue[] | undefined {
  const required = ownValue(node, "required");
  const properties = ownValue(node, "properties");
  if (!Array.isArray(required) || !isJsonObject(properties)) return undefined;
  const needed = required.filter((name) => {
    const property = typeof name === "string" ? ownValue(properties, name) : undefined;
    return property === undefined || !hasDefault(property);
  });
  return needed.length === required.length ? undefined : needed;
}

/** The parts of an `allOf` without their `additionalProperties: false`; undefined unless several of them are closed. */
function openParts(node: JsonObject): JsonValue[] | undefined {
  const parts = schemasOf(node, "allOf");
  return parts.filter(isClosed).length < 2
    ? undefined
    : parts.map((part) => (isClosed(part) ? withoutClosing(part) : part));
}

function isClosed(schema: JsonValue): schema is JsonObject {
  return isJsonObject(schema) && ownValue(schema, "additionalProperties") === false;
}

function withoutClosing(schema: JsonObject): JsonObject {
  return toJsonObject(Object.entries(schema).filter(([keyword]) => keyword !== "additionalProperties"));
}

function schemasOf(node: JsonObject, keyword: string): JsonValue[] {
  const value = ownValue(node, keyword);
  return Array.isArray(value) ? value : [];
}
