import { type Document, isScalar, LineCounter, parseDocument as parseYaml, visit } from "yaml";
import type { Json } from "../json.ts";
import { OpenApiError } from "../openapi-error.ts";
import { MAX_ALIASES, MAX_DEPTH, MAX_NODES } from "./limits.ts";

/** Parses JSON or YAML; `source` is the name of the file for errors. */
export function parseText(text: string, source: string): Json {
  const value = parseJson(text) ?? parseAsYaml(text, source);
  assertBounded(value, source);
  dropNulls(value);
  return value;
}

function parseJson(text: string): Json | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // YAML is a superset, and its parser knows the line of a mistake.
    return undefined;
  }
}

function parseAsYaml(text: string, source: string): Json {
  const lineCounter = new LineCounter();
  try {
    const document = parseYaml(text, {
      ...{ lineCounter, merge: true, prettyErrors: false, logLevel: "silent" },
      // It compares each key with all before it; the same is found below in one look at each.
      uniqueKeys: false,
    });
    const mistake = document.errors[0] ?? findDoubleKey(document);
    if (mistake !== undefined) {
      if (/call stack/.test(mistake.message)) throw tooDeep(source);
      const { line, col } = lineCounter.linePos(mistake.pos[0]);
      throw invalid(`${source}:${line}:${col}: ${mistake.message}`);
    }
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as Json;
  } catch (error) {
    if (error instanceof OpenApiError) throw error;
    if (error instanceof RangeError) throw tooDeep(source);
    const reason = error instanceof Error ? error.message : String(error);
    if (/alias count/i.test(reason)) throw tooManyAliases(source);
    throw invalid(`${source}: ${reason}`);
  }
}

/** The first key that a mapping has twice. */
function findDoubleKey(document: Document): { message: string; pos: readonly [number, number] } | undefined {
  let found: { message: string; pos: readonly [number, number] } | undefined;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === "<<") continue;
        if (!seen.has(key.value)) seen.add(key.value);
        else {
          const start = key.range?.[0] ?? 0;
          found = { message: "Map keys must be unique", pos: [start, key.range?.[1] ?? start] };
          return visit.BREAK;
        }
      }
      return undefined;
    },
  });
  return found;
}

/** What holds values, in which null is one; and the requirements of a login, which may have a name alone. */
const VALUES = new Set(["const", "default", "enum", "example", "examples", "scopes", "security", "value"]);
/** Names that the document chooses: an empty one is there, with nothing said of it. */
const MAPS = new Set(["$defs", "content", "definitions", "patternProperties", "properties", "responses", "schemas"]);

/** A member that is null, as an empty key of YAML is, says nothing: it is taken as an absent one, before anything else reads it. */
function dropNulls(root: Json): void {
  const seen = new Set<Json>();
  const left: [Json, isMap: boolean][] = [[root, false]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [value, isMap] = next;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (Array.isArray(value)) {
      for (const item of value) left.push([item, false]);
      continue;
    }
    for (const [name, child] of Object.entries(value)) {
      if (child === null && isMap) value[name] = {};
      else if (child === null && !VALUES.has(name)) delete value[name];
      else if (child === null && name === "security") delete value[name];
      else if (child !== undefined && child !== null && (isMap || !VALUES.has(name)))
        left.push([child, !isMap && MAPS.has(name)]);
    }
  }
}

/** Refuses what is nested too deeply, or grows when the aliases of a YAML file are followed. */
function assertBounded(root: Json, source: string): void {
  const left: [Json, number][] = [[root, 1]];
  let nodes = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [value, depth] = next;
    nodes += 1;
    if (nodes > MAX_NODES) throw tooManyAliases(source);
    if (typeof value !== "object" || value === null) continue;
    // An alias to what contains it is a circle, which ends here too.
    if (depth > MAX_DEPTH) throw tooDeep(source);
    for (const child of Object.values(value)) if (child !== undefined) left.push([child, depth + 1]);
  }
}

function invalid(message: string): OpenApiError {
  return new OpenApiError("DOCUMENT_INVALID", message, "Fix the document at this place; it is neither JSON nor YAML.");
}

function tooDeep(source: string): OpenApiError {
  const cause = `${source}: more than ${MAX_DEPTH} objects are nested in each other`;
  return new OpenApiError("DOCUMENT_TOO_LARGE", cause, "Name nested schemas in components and refer to them.");
}

function tooManyAliases(source: string): OpenApiError {
  const cause = `${source}: aliases of YAML repeat too much`;
  return new OpenApiError("DOCUMENT_TOO_LARGE", cause, "Use $ref in place of YAML aliases.");
}
