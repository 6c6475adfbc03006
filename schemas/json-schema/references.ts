import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json/json.ts";
import type { Dialect } from "./to-latest-dialect.ts";
import { SCHEMA_HOLDERS } from "./keywords.ts";

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
