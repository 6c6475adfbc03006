import {
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { JsonObject } from "../../schemas/json/json.ts";

/** An entry in YAML: in a map by its name, or in a list of maps with names. */
export interface YamlPlace {
  container: string;
  name: string;
  isList: boolean;
}

/**
 * Adds an entry to YAML as lines of its own, and changes no other byte. Undefined where the text has another form than lines, or a flow of
 * entries: who calls prints the whole document then.
 */
export function addToYamlText(text: string, place: YamlPlace, value: JsonObject): string | undefined {
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
export function removeFromYamlText(text: string, { container, name, isList }: YamlPlace): string | undefined {
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

/** Of an item of a list, that of its dash. */
function columnOf(text: string, at: number): number {
  const line = text.slice(text.lastIndexOf("\n", at) + 1, at);
  return /^ */.exec(line)?.[0].length ?? 0;
}
