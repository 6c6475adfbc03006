import { isJsonObject, type JsonValue } from "../json/json.ts";
import { type KeywordShape, TYPE_NAMES } from "./keywords.ts";

/** Says what is wrong with the value of a keyword, one level deep; undefined where nothing is. */
export function checkKeyword(shape: KeywordShape, value: JsonValue): string | undefined {
  switch (shape) {
    case "schema":
      return typeof value === "boolean" || isJsonObject(value) ? undefined : "is not a schema";
    case "schemas":
      return Array.isArray(value) && value.length > 0 ? undefined : "is not a list of schemas";
    case "schemaMap":
    case "patternMap":
      return isJsonObject(value) ? undefined : "is not an object of schemas";
    case "number":
      return typeof value === "number" ? undefined : "is not a number";
    case "positiveNumber":
      return typeof value === "number" && value > 0 ? undefined : "is not a number above zero";
    case "count":
      return Number.isInteger(value) && Number(value) >= 0 ? undefined : "is not a whole number";
    case "true":
      return typeof value === "boolean" ? undefined : "is neither true nor false";
    case "type":
      return isType(value) ? undefined : "names no JSON type";
    case "values":
      return Array.isArray(value) && value.length > 0 ? undefined : "lists no value";
    case "names":
      return isNames(value) ? undefined : "is not a list of names";
    case "nameMap":
      return isJsonObject(value) && Object.values(value).every(isNames) ? undefined : "does not map names to names";
    case "pattern":
      return typeof value === "string" ? checkPattern(value) : "is not a regular expression";
    case "format":
    case "text":
      return typeof value === "string" ? undefined : "is not a text";
    case "value":
      return undefined;
  }
}

function isType(value: JsonValue): boolean {
  const names = [value].flat();
  return names.length > 0 && names.every((name) => typeof name === "string" && TYPE_NAMES.has(name));
}

function isNames(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

/** Patterns must mean the same on every engine: flags of groups and repeated names of groups are new in some. */
function checkPattern(pattern: string): string | undefined {
  const message = `is not a regular expression that every engine knows (${JSON.stringify(pattern)}); it is not checked`;
  const names = [...pattern.matchAll(/\(\?<(?![=!])([^>]*)>/g)].map(([, name]) => name);
  if (/\(\?[a-z-]+:/.test(pattern) || new Set(names).size < names.length) return message;
  try {
    const compiled = new RegExp(pattern, "u");
    return compiled.unicode ? undefined : message;
  } catch {
    return message;
  }
}
