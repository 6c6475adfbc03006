import { isDeepStrictEqual } from "node:util";
import { parse, type ParseError, printParseErrorCode, findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { commaAfter } from "../../schemas/json/remove-json-property.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import { type ClientEntry, entryPath, MergeRefusal, updateEntry } from "./client-entry.ts";

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

/**
 * Sets a value in JSON with comments, and changes no other byte: an editor that formats what it touches would reformat the
 * neighbours too. The text must hold an object, and objects wherever the path leads through.
 */
function setInJsonText(text: string, path: readonly string[], value: JsonObject): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return text;
  const existing = findNodeAtLocation(root, [...path]);
  if (existing !== undefined) return replaceValue(text, existing, value);
  // The deepest object that is there gets one property, with all that is missing in it.
  const depth = path.findLastIndex((_, at) => findNodeAtLocation(root, path.slice(0, at)) !== undefined);
  const parent = findNodeAtLocation(root, path.slice(0, depth)) ?? root;
  const [key = "", ...missing] = path.slice(depth);
  const nested = missing.reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), value);
  return insertProperty(text, parent, key, nested);
}

function replaceValue(text: string, { offset, length }: Node, value: JsonObject): string {
  const printed = printJson(text, value, indentOfLine(text, offset));
  return text.slice(0, offset) + printed + text.slice(offset + length);
}

function insertProperty(text: string, parent: Node, key: string, value: JsonObject): string {
  const last = parent.children?.at(-1);
  if (last === undefined) return insertFirst(text, parent, key, value);
  const indent = indentOfLine(text, last.offset);
  const lineBefore = text.slice(text.lastIndexOf("\n", last.offset) + 1, last.offset);
  const isOnOwnLine =
    text.slice(parent.offset, last.offset).includes("\n") && /^\s*(?:\/\*.*\*\/\s*)?$/.test(lineBefore);
  const name = JSON.stringify(key);
  const added = isOnOwnLine
    ? `${lineEndOf(text)}${indent}${name}: ${printJson(text, value, indent)}`
    : ` ${name}: ${JSON.stringify(value)}`;
  const end = last.offset + last.length;
  const comma = commaAfter(text, end);
  const before = comma === undefined ? `${text.slice(0, end)},` : text.slice(0, comma + 1);
  const rest = text.slice(comma === undefined ? end : comma + 1);
  // A comment behind the last property belongs to that one.
  const [comment = ""] = isOnOwnLine ? (/^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)?/.exec(rest) ?? []) : [];
  return before + comment.trimEnd() + added + rest.slice(comment.trimEnd().length);
}

function insertFirst(text: string, { offset, length }: Node, key: string, value: JsonObject): string {
  const [outer, end] = [indentOfLine(text, offset), lineEndOf(text)];
  const indent = outer + indentUnitOf(text);
  const inside = text.slice(offset + 1, offset + length - 1).trimEnd();
  const property = `${indent}${JSON.stringify(key)}: ${printJson(text, value, indent)}`;
  return `${text.slice(0, offset + 1)}${inside}${end}${property}${end}${outer}${text.slice(offset + length - 1)}`;
}

function printJson(text: string, value: JsonValue, indent: string): string {
  return JSON.stringify(value, null, indentUnitOf(text)).replaceAll("\n", lineEndOf(text) + indent);
}

function indentOfLine(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** As the file is indented; two spaces where it is not. */
function indentUnitOf(text: string): string {
  return /^([ \t]+)["}]/m.exec(text)?.[1] ?? "  ";
}

function lineEndOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
