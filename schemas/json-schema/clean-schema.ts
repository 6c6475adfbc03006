import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json/json.ts";
import { toAcceptedInput } from "./accepted-input.ts";
import { checkKeyword } from "./check-keyword.ts";
import { FORMATS } from "./formats.ts";
import {
  ANNOTATIONS,
  ASSERTIONS,
  type KeywordShape,
  type Direction,
  type CleanNode,
  type SchemaProblem,
} from "./keywords.ts";
import { indexReferences, MAX_SCHEMA_DEPTH, type ReferenceTarget } from "./references.ts";
import { toLatestDialect, type Dialect, dialectOf } from "./to-latest-dialect.ts";

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
  references: ReturnType<typeof indexReferences>;
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

/** Applies `change` to the schemas that the value of a keyword holds directly. */
export function mapSubschemas(keyword: string, value: JsonValue, change: (node: CleanNode) => CleanNode): JsonValue {
  switch (ASSERTIONS.get(keyword)) {
    case "schema":
      return change(value as CleanNode);
    case "schemas":
      return (value as CleanNode[]).map(change);
    case "schemaMap":
    case "patternMap":
      return toJsonObject(Object.entries(value as JsonObject).map(([key, node]) => [key, change(node as CleanNode)]));
    default:
      return value;
  }
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

/**
 * Ends chains of references that all look at the same value once they are as long as a schema may be deep: a validator and the type checker
 * need a level of their stacks for each. The references go in no circle (`cutCircles`).
 */
function cutChains(nodes: NodesByReference, problems: SchemaProblem[]): NodesByReference {
  const edges = inPlaceEdges(nodes);
  const ends = findChainEnds(edges);
  const message = `ends a chain of ${MAX_SCHEMA_DEPTH} references; what it refers to is not checked there`;
  const removedFrom = (reference: string) => (ends.has(reference) ? new Set(edges.get(reference)) : undefined);
  return cutReferences(nodes, removedFrom, message, problems);
}

/** Where the longest chain to a schema has reached the bound; what follows it begins a new one. */
function findChainEnds(edges: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const ends = new Set<string>();
  const lengths = new Map<string, number>();
  const waiting = new Map<string, number>();
  for (const target of [...edges.values()].flat()) waiting.set(target, (waiting.get(target) ?? 0) + 1);
  const ready = [...edges.keys()].filter((reference) => !waiting.has(reference));
  // A schema is looked at after all that refer to it.
  for (const reference of ready) {
    const targets = edges.get(reference) ?? [];
    const length = lengths.get(reference) ?? 0;
    const isEnd = length === MAX_SCHEMA_DEPTH && targets.length > 0;
    if (isEnd) ends.add(reference);
    for (const target of targets) {
      if (!isEnd) lengths.set(target, Math.max(length + 1, lengths.get(target) ?? 0));
      const left = (waiting.get(target) ?? 0) - 1;
      waiting.set(target, left);
      if (left === 0) ready.push(target);
    }
  }
  return ends;
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

/** Keywords whose schemas look at the same value as the schema that they stand in. */
const IN_PLACE = new Set(["allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"]);

/** Schemas by the reference that points to them: `#` and `#/$defs/NAME`. */
export type NodesByReference = ReadonlyMap<string, CleanNode>;

/**
 * Removes references by which a schema is asked of a value that is already being asked of it: a validator would never end.
 * Recursion into the parts of a value stays.
 */
export function cutCircles(nodes: NodesByReference, problems: SchemaProblem[]): NodesByReference {
  const edges = inPlaceEdges(nodes);
  const circular = new Set([...nodes.keys()].filter((reference) => reaches(reference, reference, edges)));
  const message = "refers to itself without end; that reference is not checked";
  return cutReferences(nodes, (reference) => (circular.has(reference) ? circular : undefined), message, problems);
}

/** By the reference to a schema: the references by which others look at the same value as it does. */
function inPlaceEdges(nodes: NodesByReference): ReadonlyMap<string, readonly string[]> {
  return new Map([...nodes].map(([reference, node]) => [reference, inPlaceReferences(node)]));
}

/**
 * Takes references out of schemas, which accept at least what they accepted before. Each schema that is changed is a problem.
 * @param removedFrom the references to take out of the schema that a reference points to; undefined for none
 */
function cutReferences(
  nodes: NodesByReference,
  removedFrom: (reference: string) => ReadonlySet<string> | undefined,
  message: string,
  problems: SchemaProblem[],
): NodesByReference {
  return new Map(
    [...nodes].map(([reference, node]) => {
      const removed = removedFrom(reference);
      if (removed === undefined) return [reference, node];
      problems.push({ pointer: reference.slice(1), message });
      return [reference, withoutReferences(node, removed)];
    }),
  );
}

function inPlaceReferences(node: CleanNode): string[] {
  if (typeof node === "boolean") return [];
  return Object.entries(node).flatMap(([keyword, value]) => {
    if (keyword === "$ref") return [String(value)];
    return IN_PLACE.has(keyword) ? nodesOf(keyword, value).flatMap(inPlaceReferences) : [];
  });
}

/** The schemas in the value of an in-place keyword. */
function nodesOf(keyword: string, value: JsonValue): CleanNode[] {
  if (Array.isArray(value)) return value as CleanNode[];
  return keyword === "dependentSchemas" ? (Object.values(value as JsonObject) as CleanNode[]) : [value as CleanNode];
}

function reaches(from: string, goal: string, edges: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of edges.get(next) ?? []) {
      if (target === goal) return true;
      if (!seen.has(target)) open.push(target);
      seen.add(target);
    }
  }
  return false;
}

function withoutReferences(node: CleanNode, removed: ReadonlySet<string>): CleanNode {
  if (typeof node === "boolean") return node;
  const change = (value: JsonValue): CleanNode => withoutReferences(value as CleanNode, removed);
  const isRemoved = ([keyword, value]: [string, JsonValue]): boolean => {
    if (keyword === "$ref") return removed.has(String(value));
    // Without the reference it would refuse everything.
    return keyword === "not" && inPlaceReferences(value as CleanNode).some((reference) => removed.has(reference));
  };
  const entries = Object.entries(node).filter((entry) => !isRemoved(entry));
  return toJsonObject(
    entries.map(([keyword, value]) => {
      if (!IN_PLACE.has(keyword)) return [keyword, value];
      if (Array.isArray(value)) return [keyword, value.map(change)];
      if (keyword !== "dependentSchemas") return [keyword, change(value)];
      return [
        keyword,
        toJsonObject(Object.entries(value as JsonObject).map(([name, schema]) => [name, change(schema)])),
      ];
    }),
  );
}
