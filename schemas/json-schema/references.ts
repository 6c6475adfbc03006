import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json/json.ts";
import { type CleanNode, type Dialect, mapSubschemas, SCHEMA_HOLDERS, type SchemaProblem } from "./keywords.ts";

/** Finds what references of one schema document point to. Nothing outside of the document is ever looked at. */
export interface References {
  /** The target of `$ref`, written at `from`; undefined where the document does not hold it. */
  find(from: JsonObject, reference: string): ReferenceTarget | undefined;
  /** The target of `$dynamicRef`. */
  findDynamic(from: JsonObject, reference: string): ReferenceTarget | undefined;
}

export interface ReferenceTarget {
  schema: JsonValue;
  /** What the reference calls its target: the last part of the pointer that is a name, or the anchor. */
  name: string;
}

/** Nesting that no honest schema reaches; deeper parts are not read. */
export const MAX_SCHEMA_DEPTH = 200;

/** Indexes the identifiers and anchors of a document (JSON Schema 2020-12, 8.2). */
export function indexReferences(document: JsonValue, dialect: Dialect): References {
  const bases = new Map<JsonObject, string>();
  const byUri = new Map<string, JsonValue>([["", document]]);
  const dynamicUris = new Set<string>();
  visit(document, "", 0);

  function visit(node: JsonValue, outerBase: string, depth: number): void {
    if (Array.isArray(node)) return node.forEach((item) => visit(item, outerBase, depth + 1));
    if (!isJsonObject(node) || depth > MAX_SCHEMA_DEPTH) return;
    const base = register(node, outerBase);
    for (const [keyword, holder] of SCHEMA_HOLDERS) {
      const value = ownValue(node, keyword);
      if (value === undefined) continue;
      if (holder === "schema") visit(value, base, depth + 1);
      else if (isJsonObject(value)) Object.values(value).forEach((item) => visit(item, base, depth + 1));
    }
  }

  /** Notes the names that a schema gives itself; returns the base of its own references. */
  function register(node: JsonObject, outerBase: string): string {
    // In draft-07 nothing beside a reference counts.
    if (dialect === "draft-07" && typeof ownValue(node, "$ref") === "string") return note(node, outerBase);
    const id = ownValue(node, "$id");
    let base = outerBase;
    if (typeof id === "string" && id.startsWith("#")) addUri(outerBase + id, node);
    else if (typeof id === "string") {
      base = resolveUri(outerBase, id).replace(/#.*$/s, "");
      addUri(base, node);
    }
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const anchor = ownValue(node, keyword);
      if (typeof anchor !== "string") continue;
      addUri(`${base}#${anchor}`, node);
      if (keyword === "$dynamicAnchor") dynamicUris.add(`${base}#${anchor}`);
    }
    return note(node, base);
  }

  function note(node: JsonObject, base: string): string {
    bases.set(node, base);
    return base;
  }

  function addUri(uri: string, node: JsonObject): void {
    if (!byUri.has(uri) || uri === "") byUri.set(uri, node);
  }

  function find(from: JsonObject, reference: string): ReferenceTarget | undefined {
    return findUri(resolveUri(bases.get(from) ?? "", reference));
  }

  function findUri(uri: string): ReferenceTarget | undefined {
    const hash = uri.indexOf("#");
    const address = hash === -1 ? uri : uri.slice(0, hash);
    const resource = byUri.get(address);
    const fragment = hash === -1 ? "" : uri.slice(hash + 1);
    if (fragment === "")
      return resource === undefined ? undefined : { schema: resource, name: lastName(address.split("/")) };
    if (!fragment.startsWith("/")) {
      const anchored = byUri.get(uri);
      return anchored === undefined ? undefined : { schema: anchored, name: fragment };
    }
    const steps = fragment.slice(1).split("/").map(decodeStep);
    const schema = steps.reduce<JsonValue | undefined>(stepInto, resource);
    return schema === undefined ? undefined : { schema, name: lastName(steps) };
  }

  return {
    find,
    findDynamic(from, reference) {
      const target = find(from, reference);
      const anchor = reference.slice(reference.indexOf("#"));
      const isDynamic = [...dynamicUris].some((uri) => uri.endsWith(anchor) && byUri.get(uri) === target?.schema);
      // The document's own root is the outermost dynamic scope of every evaluation, so its anchor wins.
      const rootBase = isJsonObject(document) ? (bases.get(document) ?? "") : "";
      return isDynamic && dynamicUris.has(rootBase + anchor) ? findUri(rootBase + anchor) : target;
    },
  };
}

function stepInto(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(step) ? value[Number(step)] : undefined;
  return isJsonObject(value) ? ownValue(value, step) : undefined;
}

/** Decodes one step of a JSON pointer in a URI fragment (RFC 6901, 6). */
function decodeStep(step: string): string {
  let decoded = step;
  try {
    decoded = decodeURIComponent(step);
  } catch {
    // A stray percent sign: the text is meant as it stands.
  }
  return decoded.replace(/~1/g, "/").replace(/~0/g, "~");
}

function lastName(steps: readonly string[]): string {
  return steps.findLast((step) => !SCHEMA_HOLDERS.has(step) && !/^\d*$/.test(step)) ?? "";
}

/** A URI reference in its five parts (RFC 3986, appendix B). */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/s;

/** Resolves a URI reference against a base (RFC 3986, 5.2); the fragment is the reference's own. */
export function resolveUri(base: string, reference: string): string {
  const [, scheme, authority, path = "", query = "", fragment = ""] = PARTS.exec(reference) ?? [];
  const [, baseScheme, baseAuthority, basePath = "", baseQuery = ""] = PARTS.exec(base) ?? [];
  if (scheme !== undefined) return join(scheme, authority, withoutDots(path), query) + fragment;
  if (authority !== undefined) return join(baseScheme, authority, withoutDots(path), query) + fragment;
  if (path === "") return join(baseScheme, baseAuthority, basePath, query === "" ? baseQuery : query) + fragment;
  const merged = path.startsWith("/") ? path : basePath.slice(0, basePath.lastIndexOf("/") + 1) + path;
  return join(baseScheme, baseAuthority, withoutDots(merged), query) + fragment;
}

function join(scheme: string | undefined, authority: string | undefined, path: string, query: string): string {
  return `${scheme === undefined ? "" : `${scheme}:`}${authority === undefined ? "" : `//${authority}`}${path}${query}`;
}

/** Removes `.` and `..` from a path (RFC 3986, 5.2.4). Paths without slashes, as in `urn:a:b`, stay as they are. */
function withoutDots(path: string): string {
  if (!path.includes("/")) return path;
  const kept: string[] = [];
  const segments = path.split("/");
  segments.forEach((segment, index) => {
    const last = index === segments.length - 1;
    if (segment === ".." && kept.length > 1) kept.pop();
    if (segment !== "." && segment !== "..") kept.push(segment);
    else if (last) kept.push("");
  });
  return kept.join("/");
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
  const change = (value: CleanNode): CleanNode => withoutReferences(value, removed);
  const isRemoved = ([keyword, value]: [string, JsonValue]): boolean => {
    if (keyword === "$ref") return removed.has(String(value));
    // Without the reference it would refuse everything.
    return keyword === "not" && inPlaceReferences(value as CleanNode).some((reference) => removed.has(reference));
  };
  const entries = Object.entries(node).filter((entry) => !isRemoved(entry));
  return toJsonObject(
    entries.map(([keyword, value]) => [keyword, IN_PLACE.has(keyword) ? mapSubschemas(keyword, value, change) : value]),
  );
}

/**
 * Ends chains of references that all look at the same value once they are as long as a schema may be deep: a validator and the type checker
 * need a level of their stacks for each. The references go in no circle (`cutCircles`).
 */
export function cutChains(nodes: NodesByReference, problems: SchemaProblem[]): NodesByReference {
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
