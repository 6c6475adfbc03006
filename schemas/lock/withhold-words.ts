import { withoutUndefined } from "../json/without-undefined.ts";
import { readClaims } from "../access/policy.ts";
import { isJsonObject, type JsonValue, ownValue, toJsonObject } from "../json/json.ts";
import { checkKeyword, ASSERTIONS, type KeywordShape, SCHEMA_HOLDERS } from "../json-schema/keywords.ts";
import { serverIntegrity } from "./lock-server.ts";
import type { TextDigest } from "./integrity.ts";
import type { Claims, LockedServer, LockedTool } from "./lockfile.ts";

/** Stands for all words of a definition that no person has accepted yet. */
export const WITHHELD =
  "New or changed since the lockfile was written: its words are shown when a person has accepted it.";

/**
 * A server as it is now, without the words of what is new or changed: names and types follow it, what was accepted stays as it was, and
 * what was removed is gone (`drift: "review"`). The same value as `accepted` where only words of the server itself have changed.
 */
export function withholdWords(accepted: LockedServer, live: LockedServer, digest?: TextDigest): LockedServer {
  const offer = (before: readonly LockedTool[] = [], after: readonly LockedTool[]): LockedTool[] => {
    const known = new Map(before.map((tool) => [tool.name, tool]));
    return after.map((tool) => offerTool(known.get(tool.name), tool));
  };
  const { resources: _, prompts: __, ...own } = accepted;
  const offered = {
    ...own,
    tools: offer(accepted.tools, live.tools),
    ...withoutUndefined({
      resources: live.resources === undefined ? undefined : offer(accepted.resources, live.resources),
      prompts: live.prompts === undefined ? undefined : offer(accepted.prompts, live.prompts),
    }),
  };
  const integrity = serverIntegrity(offered, digest);
  return integrity === accepted.integrity ? accepted : { ...offered, integrity };
}

/** A name is assigned among all that the server has now. */
function offerTool(before: LockedTool | undefined, after: LockedTool): LockedTool {
  const { name, exportName, templateName, outputSchemaFrom, integrity } = after;
  if (before?.integrity === integrity) return before.exportName === exportName ? before : { ...before, exportName };
  return {
    name,
    exportName,
    ...withoutUndefined({ templateName }),
    description: WITHHELD,
    ...withoutUndefined({
      inputSchema: after.inputSchema === undefined ? undefined : withoutWords(after.inputSchema),
      outputSchema: after.outputSchema === undefined ? undefined : withoutWords(after.outputSchema),
      outputSchemaFrom,
    }),
    pending: stricterClaims(before === undefined ? undefined : readClaims(before), readClaims(after)),
    integrity,
  };
}

/** Of each claim the one that a policy is more careful with. */
function stricterClaims(before: Claims | undefined, after: Claims): Claims {
  if (before === undefined) return after;
  return {
    readOnly: before.readOnly && after.readOnly,
    destructive: before.destructive || after.destructive,
    idempotent: before.idempotent && after.idempotent,
    openWorld: before.openWorld || after.openWorld,
  };
}

/** Keywords that say what a schema is and where its parts are, beside keywords that check a value. */
const STRUCTURE: ReadonlySet<string> = new Set([
  ...["$schema", "$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"],
  ...["id", "nullable", "deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"],
]);

/** What checks a value by texts: names and values, which follow the server as types do. Nothing else that checks one has a text. */
const TEXTS: ReadonlySet<KeywordShape> = new Set(["type", "values", "value", "names", "nameMap", "pattern"]);

/**
 * The schema with the keywords that types and checks are made from. What is unknown, or has a value that says nothing there, may hold words,
 * and goes. A value that is in the place of a schema and is none stays as one that accepts all.
 */
function withoutWords(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return typeof schema === "boolean" ? schema : true;
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, JsonValue][] => {
    const holder = SCHEMA_HOLDERS.get(keyword);
    if (holder === "schemaMap") return isJsonObject(value) ? [[keyword, mapSchemas(keyword, value)]] : [];
    if (holder === "schema") return [[keyword, Array.isArray(value) ? value.map(withoutWords) : withoutWords(value)]];
    return isWordless(keyword, value) ? [[keyword, value]] : [];
  });
  return toJsonObject(entries);
}

function isWordless(keyword: string, value: JsonValue): boolean {
  if (keyword === "format") return typeof value === "string" && FORMAT_NAME.test(value);
  if (keyword === "default") return !holdsText(value);
  if (STRUCTURE.has(keyword)) return typeof value === "string" ? ADDRESS.test(value) : typeof value === "boolean";
  const shape = ASSERTIONS.get(keyword);
  if (shape === undefined) return false;
  return TEXTS.has(shape) ? checkKeyword(shape, value) === undefined : !holdsText(value);
}

/** No sentence. */
const FORMAT_NAME = /^[\w.-]{1,40}$/;

/** Nor are these, but a pointer repeats names of the schema, which may have spaces. */
const ADDRESS = /^(?:\S+|#\/.*)$/;

/** `dependencies` (draft-07) has lists of names too. */
function mapSchemas(keyword: string, schemas: { readonly [name: string]: JsonValue }): JsonValue {
  return toJsonObject(
    Object.keys(schemas).map((name) => {
      const value = ownValue(schemas, name) as JsonValue;
      const isNames = keyword === "dependencies" && checkKeyword("names", value) === undefined;
      return [name, isNames ? value : withoutWords(value)];
    }),
  );
}

/** The keys of an object are texts too. */
function holdsText(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(holdsText);
  return typeof value === "string" || (isJsonObject(value) && Object.keys(value).length > 0);
}
