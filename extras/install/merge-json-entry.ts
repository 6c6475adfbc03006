import { isDeepStrictEqual } from "node:util";
import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import { type ClientEntry, entryPath, MergeRefusal, updateEntry } from "./client-entry.ts";
import { setInJsonText } from "./edit-json-text.ts";

const BOM = "\uFEFF";

/** Puts an entry into JSON with comments; all else stays byte for byte. Throws a `MergeRefusal` where the file cannot take it. */
export function mergeJsonEntry(text: string, entry: ClientEntry, force: boolean): string {
  const mark = text.startsWith(BOM) ? BOM : "";
  const body = text.slice(mark.length);
  if (body.trim() === "") return mergeJsonEntry(`${mark}{}\n`, entry, force);
  const root = parseRoot(body);
  const path = entryPath(root, entry);
  const existing = find(root, path);
  const value = updateEntry(existing, entry, force);
  if (isDeepStrictEqual(existing, value)) return text;
  const merged = setInJsonText(body, path, value);
  // The text is changed at the first of two equal keys, a reader takes the last: what cannot be proved is not written.
  if (!isDeepStrictEqual(parseRoot(merged), withEntry(root, path, value))) {
    throw new MergeRefusal("contains a duplicate key, so the entry cannot be added", "Remove one of the two.");
  }
  return mark + merged;
}

function parseRoot(text: string): JsonObject {
  const errors: ParseError[] = [];
  const value = parse(text, errors, { allowTrailingComma: true }) as JsonValue | undefined;
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split("\n").length;
    throw new MergeRefusal(
      `is not valid JSON: ${printParseErrorCode(error.error)} in line ${line}`,
      "Fix the syntax error at that position; nothing was written.",
    );
  }
  if (value === undefined || !isJsonObject(value)) {
    throw new MergeRefusal("does not contain a JSON object", "Fix the file; nothing was written.");
  }
  return value;
}

function find(root: JsonObject, path: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const [depth, key] of path.entries()) {
    if (at === undefined) return undefined;
    if (!isJsonObject(at)) {
      throw new MergeRefusal(
        `has a value other than an object at "${path.slice(0, depth).join(".")}"`,
        "Fix the file; nothing was written.",
      );
    }
    at = ownValue(at, key);
  }
  return at;
}

function withEntry(root: JsonObject, [key = "", ...rest]: readonly string[], value: JsonObject): JsonObject {
  const inner = ownValue(root, key);
  return {
    ...root,
    [key]: rest.length === 0 ? value : withEntry(inner === undefined ? {} : (inner as JsonObject), rest, value),
  };
}
