import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "smol-toml";
import { isJsonObject, type JsonObject, ownValue } from "../../schemas/json/json.ts";
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

/** Takes the table of an entry out, with one blank line before it. */
export function removeTomlEntry(text: string, entry: Omit<ClientEntry, "value">): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const mark = `${MARK_OF_REMOVAL}${end}`;
  return replaceTable(text, entryPath({}, entry).join("."), mark, end)
    .replace(/^\0\s*/, "")
    .replace(REMOVED, "$1");
}

/** No text that can be parsed has it: a mark of what goes, with the blank line before it, or with those behind it at the start of the file. */
const MARK_OF_REMOVAL = "\0";
const REMOVED = /(^|\n)(?:\r?\n)?\0(?:\r?\n)?/;

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
  const headers = headersOf(lines);
  const isOwn = (at: number): boolean => headers[at] === name || headers[at]?.startsWith(`${name}.`) === true;
  const start = lines.findIndex((_, at) => isOwn(at));
  if (start < 0) throw new MergeRefusal("writes its entry in a form that cannot be replaced line by line", MANUAL);
  let last = start;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (headers[at] !== undefined && !isOwn(at)) break;
    if (!/^(?:#.*)?$/.test(line.trim())) last = at;
  }
  const isAtEnd = last === lines.length - 1 && !text.endsWith("\n");
  const written = isAtEnd && table !== "" ? table.slice(0, -end.length) : table;
  return [...lines.slice(0, start), written, ...lines.slice(last + 1)].join("");
}

/** By line, the name of the table that begins there, without quotes and blanks. Lines inside of a text of several lines begin none. */
function headersOf(lines: readonly string[]): (string | undefined)[] {
  let open: string | undefined;
  return lines.map((line) => {
    const isInText = open !== undefined;
    open = textLeftOpen(line, open);
    const [, name] = isInText ? [] : (/^\s*\[\[?([^\]]+)\]\]?\s*(?:#.*)?$/.exec(line.trimEnd()) ?? []);
    return name?.replace(/["'\s]/g, "");
  });
}

/** The quotes of a text that goes on behind this line. */
function textLeftOpen(line: string, open: string | undefined): string | undefined {
  let left = open;
  for (let rest = line; ;) {
    const found = (left === undefined ? OUTSIDE : INSIDE[left])?.exec(rest);
    if (found === undefined || found === null) return left;
    const [part] = found;
    if (left === undefined && part === "#") return undefined;
    left = left === undefined && part in INSIDE ? part : undefined;
    rest = rest.slice(found.index + part.length);
  }
}

/** What comes next outside of a text: a text of one line, the quotes of a longer one, or a comment. */
const OUTSIDE = /"""|'''|"(?:[^"\\\r\n]|\\.)*"?|'[^'\r\n]*'?|#/;
/** The rest of a text, by its quotes. */
const INSIDE: { [quotes: string]: RegExp } = { '"""': /^(?:\\.|[^\\])*?"""/s, "'''": /'''/ };
