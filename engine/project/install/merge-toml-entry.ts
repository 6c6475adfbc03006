import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "smol-toml";
import { isJsonObject, type JsonObject, ownValue } from "../../../schemas/json/json.ts";
import { type ClientEntry, entryPath, MergeRefusal, updateEntry } from "./client-entry.ts";

const MANUAL = "Add the entry by hand: `codemode install codex --print` shows it.";

/** Puts an entry into TOML as a table of its own; all else stays byte for byte. Throws a `MergeRefusal` where that cannot be. */
export function mergeTomlEntry(text: string, entry: ClientEntry, force: boolean): string {
  const root = parseRoot(text);
  const [container = "", name = ""] = entryPath(root, entry);
  const servers = ownValue(root, container) ?? {};
  if (!isJsonObject(servers)) throw new MergeRefusal(`has a value other than a table at "${container}"`, MANUAL);
  const existing = ownValue(servers, name);
  const value = updateEntry(existing, entry, force);
  if (isDeepStrictEqual(existing, value)) return text;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const table = printTomlEntry(container, name, value).replaceAll("\n", end);
  const merged =
    existing === undefined ? append(text, table, end) : replaceTable(text, `${container}.${name}`, table, end);
  // The text was edited as text. Only what reads as the old file with the new entry is written.
  if (!isSame(tryParse(merged), { ...root, [container]: { ...servers, [name]: value } })) {
    throw new MergeRefusal(`stores its servers in a form that cannot take the entry "${name}"`, MANUAL);
  }
  return merged;
}

/** Takes the table of an entry out. */
export function removeTomlEntry(text: string, entry: Omit<ClientEntry, "value">): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  return replaceTable(text, entryPath({}, entry).join("."), "", end).replace(/^\s*\n(?=\[)/, "");
}

/** A table as TOML text, with a final line end. */
export function printTomlEntry(container: string, name: string, value: JsonObject): string {
  return `${stringify({ [container]: { [name]: value } }).trim()}\n`;
}

function parseRoot(text: string): JsonObject {
  try {
    return toPlain(parse(text));
  } catch (error) {
    const [reason = ""] = (error as Error).message.split("\n");
    throw new MergeRefusal(
      `is not valid TOML: ${reason}`,
      "Fix the syntax error at that position; nothing was written.",
    );
  }
}

function tryParse(text: string): JsonObject | undefined {
  try {
    return toPlain(parse(text));
  } catch {
    return undefined;
  }
}

/** The parser's tables have no prototype, ours do; dates stay what they are. */
function toPlain(value: unknown): JsonObject {
  return plain(value) as JsonObject;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function isSame(left: JsonObject | undefined, right: JsonObject): boolean {
  return isDeepStrictEqual(left, toPlain(right));
}

function append(text: string, table: string, end: string): string {
  if (text.trim() === "") return text + table;
  return `${text}${text.endsWith("\n") ? "" : end}${end}${table}`;
}

/** Replaces the lines of `[name]` and of its `[name.…]` by one table; comments and blank lines before the next one stay. */
function replaceTable(text: string, name: string, table: string, end: string): string {
  const lines = text.split(/(?<=\n)/);
  const isOwn = (line: string): boolean => {
    const header = headerOf(line);
    return header === name || header?.startsWith(`${name}.`) === true;
  };
  const start = lines.findIndex(isOwn);
  if (start < 0) throw new MergeRefusal("writes its entry in a form that cannot be replaced line by line", MANUAL);
  let last = start;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (headerOf(line) !== undefined && !isOwn(line)) break;
    if (!/^(?:#.*)?$/.test(line.trim())) last = at;
  }
  const isAtEnd = last === lines.length - 1 && !text.endsWith("\n");
  const written = isAtEnd && table !== "" ? table.slice(0, -end.length) : table;
  return [...lines.slice(0, start), written, ...lines.slice(last + 1)].join("");
}

/** The name in a line that begins a table, without quotes and blanks. */
function headerOf(line: string): string | undefined {
  const [, name] = /^\s*\[\[?([^\]]+)\]\]?\s*(?:#.*)?$/.exec(line.trimEnd()) ?? [];
  return name?.replace(/["'\s]/g, "");
}
