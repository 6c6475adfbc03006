import { isDeepStrictEqual } from "node:util";
import {
  type Document,
  isMap,
  isSeq,
  parse,
  parseDocument,
  type YAMLMap,
  isScalar,
  type Node,
  type Pair,
  stringify,
  type YAMLSeq,
} from "yaml";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import { CONTAINERS } from "../../engine/project/clients/client-files.ts";
import { type ClientEntry, MergeRefusal, updateEntry } from "./client-entry.ts";

/** Puts an entry into YAML, in a map or a list of entries with names; comments stay. Throws a `MergeRefusal` where that cannot be. */
export function mergeYamlEntry(text: string, entry: ClientEntry, force: boolean): string {
  const document = parseRoot(text);
  const existing = find(document, entry);
  const value = updateEntry(existing, entry, force);
  if (isDeepStrictEqual(existing, value)) return text;
  const added = existing === undefined ? addToYamlText(text, placeOf(entry), value) : undefined;
  set(document, entry, value);
  const merged = keepIfSame(added, document) ?? printDocument(document);
  if (!isDeepStrictEqual(find(parseRoot(merged), entry), value)) {
    throw new MergeRefusal(`cannot take the entry "${entry.name}"`, "Add the entry by hand: --print shows it.");
  }
  return merged;
}

/** Takes an entry out. */
export function removeYamlEntry(text: string, { format, name }: Omit<ClientEntry, "value">): string {
  const document = parseRoot(text);
  const container = CONTAINERS[format];
  const found: unknown = document.get(container);
  if (isMap(found)) found.delete(name);
  if (isSeq(found)) found.items = found.items.filter((item) => !(isMap(item) && item.get("name") === name));
  const removed = removeFromYamlText(text, placeOf({ format, name }));
  return keepIfSame(removed, document) ?? printDocument(document);
}

function placeOf({ format, name }: Omit<ClientEntry, "value">): YamlPlace {
  return { container: CONTAINERS[format], name, isList: format === "continue" };
}

/** A text that was edited as text, if it says what the document says. */
function keepIfSame(text: string | undefined, document: Document): string | undefined {
  if (text === undefined) return undefined;
  const edited = parseDocument(text);
  const isSame = edited.errors.length === 0 && isDeepStrictEqual(edited.toJS(), document.toJS());
  return isSame ? text : undefined;
}

/** The entry as a file of its own. */
export function printYamlEntry(entry: ClientEntry): string {
  const document = parseRoot("");
  set(document, entry, entry.value);
  return printDocument(document);
}

function parseRoot(text: string): Document {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) {
    const line = error.linePos?.[0].line ?? 1;
    throw new MergeRefusal(`is not valid YAML in line ${line}`, "Fix the syntax error there; nothing was written.");
  }
  if (document.contents !== null && !isMap(document.contents)) {
    throw new MergeRefusal("does not contain a YAML mapping", "Fix the file; nothing was written.");
  }
  return document;
}

function find(document: Document, { format, name }: ClientEntry): JsonValue | undefined {
  const container = CONTAINERS[format];
  const root = (parse(String(document)) ?? {}) as JsonObject;
  const found = ownValue(root, container) ?? (format === "continue" ? [] : {});
  if (Array.isArray(found)) return found.find((item) => isJsonObject(item) && ownValue(item, "name") === name);
  if (isJsonObject(found)) return ownValue(found, name);
  throw new MergeRefusal(`has a value other than entries at "${container}"`, "Fix the file; nothing was written.");
}

function set(document: Document, { format, name }: ClientEntry, value: JsonObject): void {
  const container = CONTAINERS[format];
  const node = document.createNode(value) as YAMLMap;
  if (format !== "continue") {
    // A key without a value is null, below which nothing can be set.
    if (isMap(document.get(container))) document.setIn([container, name], node);
    else document.set(container, document.createNode({ [name]: value }));
    return;
  }
  const list: unknown = document.get(container);
  if (!isSeq(list)) {
    document.set(container, document.createNode([value]));
    return;
  }
  const at = list.items.findIndex((item) => isMap(item) && item.get("name") === name);
  if (at < 0) list.items.push(node);
  else list.items[at] = node;
}

/** Long texts stay on their line: a folded command is hard to read. */
function printDocument(document: Document): string {
  return document.contents === null ? "" : document.toString({ lineWidth: 0 });
}

/** An entry in YAML: in a map by its name, or in a list of maps with names. */
interface YamlPlace {
  container: string;
  name: string;
  isList: boolean;
}

/**
 * Adds an entry to YAML as lines of its own, and changes no other byte. Undefined where the text has another form than lines, or a flow of
 * entries: who calls prints the whole document then.
 */
function addToYamlText(text: string, place: YamlPlace, value: JsonObject): string | undefined {
  const document = parseDocument(text);
  const { container, isList } = place;
  const root = document.contents;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = (indent: number): string => printLines(place, value, indent).replaceAll("\n", end);
  if (root === null) return `${ended(text, end)}${container}:${end}${lines(2)}`;
  if (!isMap(root) || root.flow === true) return undefined;
  const pair = pairOf(root, container);
  if (pair === undefined) return `${ended(text, end)}${container}:${end}${lines(2)}`;
  const found: unknown = pair.value;
  if (isEmptyFlow(found)) {
    const [from, to] = rangeOf(found);
    const after = lineEnd(text, to);
    return `${text.slice(0, from).trimEnd()}${ended(text.slice(to, after), end)}${lines(2)}${text.slice(after)}`;
  }
  if (isScalar(found) && found.value === null) {
    const after = lineEnd(text, rangeOf(pair.key as Node)[1]);
    return `${ended(text.slice(0, after), end)}${lines(2)}${text.slice(after)}`;
  }
  if (!(isMap(found) || isSeq(found)) || isSeq(found) !== isList || found.flow === true) return undefined;
  const last = lastOf(found);
  if (last === undefined) return undefined;
  const after = lineEnd(text, last.to);
  return `${ended(text.slice(0, after), end)}${lines(columnOf(text, last.from))}${text.slice(after)}`;
}

/** Takes the lines of an entry out, and changes no other byte; undefined where the entry has no lines of its own. */
function removeFromYamlText(text: string, { container, name, isList }: YamlPlace): string | undefined {
  const root = parseDocument(text).contents;
  const pair = isMap(root) && root.flow !== true ? pairOf(root, container) : undefined;
  const found: unknown = pair?.value;
  if (pair === undefined || !(isMap(found) || isSeq(found)) || found.flow === true) return undefined;
  const entry = spanOf(found, name);
  if (entry === undefined) return undefined;
  const start = text.lastIndexOf("\n", entry.from) + 1;
  if (!/^[ ]*(?:- *)?$/.test(text.slice(start, entry.from))) return undefined;
  const [before, after] = [text.slice(0, start), text.slice(lineEnd(text, entry.to))];
  if (found.items.length > 1) return before + after;
  // A key without a value is null, which clients may not expect.
  const key = rangeOf(pair.key as Node)[1];
  return text.slice(0, key) + text.slice(key, start).replace(":", isList ? ": []" : ": {}") + after;
}

function printLines({ name, isList }: YamlPlace, value: JsonObject, indent: number): string {
  const printed = stringify(isList ? [value] : { [name]: value }, { lineWidth: 0 });
  return printed.replace(/^(?=.)/gm, " ".repeat(indent));
}

/** What ends in a line end, for lines that follow. */
function ended(text: string, end: string): string {
  return text === "" || text.endsWith("\n") ? text : text + end;
}

interface Span {
  from: number;
  to: number;
}

function lastOf(found: YAMLMap | YAMLSeq): Span | undefined {
  const last = found.items.at(-1) as Pair | Node | undefined;
  return last === undefined ? undefined : toSpan(last);
}

function spanOf(found: YAMLMap | YAMLSeq, name: string): Span | undefined {
  const item = isMap(found)
    ? found.items.find(({ key }) => isScalar(key) && key.value === name)
    : found.items.find((one) => isMap(one) && one.get("name") === name);
  return item === undefined ? undefined : toSpan(item as Pair | Node);
}

function toSpan(item: Pair | Node): Span {
  if (!("key" in item)) return { from: rangeOf(item)[0], to: rangeOf(item)[1] };
  const key = rangeOf(item.key as Node);
  return { from: key[0], to: item.value === null ? key[1] : rangeOf(item.value as Node)[1] };
}

function rangeOf(node: Node): [number, number] {
  const [from, to] = node.range as [number, number, number];
  return [from, to];
}

function isEmptyFlow(found: unknown): found is YAMLMap | YAMLSeq {
  return (isMap(found) || isSeq(found)) && found.items.length === 0;
}

function pairOf(root: YAMLMap, key: string): Pair | undefined {
  return root.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

/** Behind the line in which a value ends. A value of several lines ends at the begin of the next line. */
function lineEnd(text: string, at: number): number {
  if (text[at - 1] === "\n") return at;
  const next = text.indexOf("\n", at);
  return next < 0 ? text.length : next + 1;
}

/** Of an item of a list, the one of its dash. */
function columnOf(text: string, at: number): number {
  const line = text.slice(text.lastIndexOf("\n", at) + 1, at);
  return /^ */.exec(line)?.[0].length ?? 0;
}
