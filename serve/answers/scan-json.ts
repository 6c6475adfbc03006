import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from "../../schemas/json/json-marks.ts";
import { makeShapeGatherer, type ValueShape } from "./value-shape.ts";

/** What a JSON text holds. */
export interface JsonScan {
  shape: ValueShape;
  media: MediaPlace[];
}

/** An image or a sound of the form that MCP gives it, as a block or an embedded resource: where its `data` or `blob` is in the text. */
export interface MediaPlace {
  type: "audio" | "image";
  mimeType: string;
  /** The member, from its key to the end of its value. */
  start: number;
  end: number;
  data: string;
}

/** A container that is being read. */
interface Open {
  isList: boolean;
  shape: ValueShape | undefined;
  count: number;
  /** Of an object: what may make it a medium. */
  type?: string | undefined;
  mimeType?: string | undefined;
  data?: { start: number; end: number; text: string } | undefined;
  /** The data belongs to an embedded resource, whose type its MIME type says. */
  isBlob?: boolean | undefined;
  hasUri?: boolean | undefined;
}

const MAX_DEPTH = 256;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

interface Word {
  text: string;
  kind: "boolean" | "null";
}

/** By their first character. */
const WORDS: ReadonlyMap<number, Word> = new Map([
  [0x66, { text: "false", kind: "boolean" }],
  [0x6e, { text: "null", kind: "null" }],
  [0x74, { text: "true", kind: "boolean" }],
]);

/**
 * Reads through JSON text of a sandbox's making in one pass, without building its values: a text of some megabytes can make a hundred times
 * as much of them. Undefined where the text is no JSON, or nested too deeply; what stands inside of strings is not looked at.
 */
export function scanJson(text: string): JsonScan | undefined {
  const gatherer = makeShapeGatherer();
  const scan: Scan = { text, gatherer, media: [], open: [], at: 0, place: gatherer.root, key: "", keyStart: 0 };
  for (;;) {
    const read = readValue(scan);
    if (read === "broken") return undefined;
    const opened = read === "opened" ? scan.open.at(-1) : undefined;
    if (opened !== undefined && skipSpace(scan) !== (opened.isList ? CLOSE_LIST : CLOSE_OBJECT)) {
      if (!enter(scan, opened)) return undefined;
      continue;
    }
    const after = closeAll(scan);
    if (after === "broken") return undefined;
    if (after === "ended") return { shape: gatherer.root, media: scan.media };
  }
}

/** Where the scan is. */
interface Scan {
  readonly text: string;
  readonly gatherer: ReturnType<typeof makeShapeGatherer>;
  readonly media: MediaPlace[];
  readonly open: Open[];
  at: number;
  place: ValueShape | undefined;
  /** The key of the member whose value comes next, with its quotes. */
  key: string;
  keyStart: number;
}

/** Ends the containers that end here, up to the next member or item, or the end of the text. */
function closeAll(scan: Scan): "next" | "ended" | "broken" {
  for (;;) {
    const container = scan.open.at(-1);
    const code = skipSpace(scan);
    if (container === undefined) return scan.at === scan.text.length ? "ended" : "broken";
    if (code === (container.isList ? CLOSE_LIST : CLOSE_OBJECT)) {
      scan.at += 1;
      close(scan);
      continue;
    }
    if (code !== COMMA) return "broken";
    scan.at += 1;
    return enter(scan, container) ? "next" : "broken";
  }
}

function skipSpace(scan: Scan): number {
  const { text } = scan;
  let { at } = scan;
  let code = text.charCodeAt(at);
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt((at += 1));
  scan.at = at;
  return code;
}

function readKey(scan: Scan): boolean {
  if (skipSpace(scan) !== QUOTE) return false;
  scan.keyStart = scan.at;
  scan.at = endOfString(scan.text, scan.at);
  scan.key = scan.text.slice(scan.keyStart, scan.at);
  scan.place = scan.gatherer.memberOf(scan.open.at(-1)?.shape, scan.key);
  if (skipSpace(scan) !== COLON) return false;
  scan.at += 1;
  return true;
}

function noteString({ text, place, open, key, keyStart, at }: Scan, start: number): void {
  place?.scalars.add("string");
  const parent = open.at(-1);
  if (parent === undefined || parent.isList || key.length > 10) return;
  if (key === '"type"') parent.type = text.slice(start + 1, Math.min(at - 1, start + 20));
  if (key === '"mimeType"') parent.mimeType = text.slice(start + 1, Math.min(at - 1, start + 100));
  if (key === '"uri"') parent.hasUri = true;
  if (key === '"data"' || (key === '"blob"' && parent.data === undefined)) {
    parent.isBlob = key === '"blob"';
    parent.data = { start: keyStart, end: at, text: text.slice(start + 1, at - 1) };
  }
}

/** Reads a value up to its end, or up to its first member or item. */
function readValue(scan: Scan): "opened" | "ended" | "broken" {
  const code = skipSpace(scan);
  const { text, place, open, at: start } = scan;
  if (code === OPEN_OBJECT || code === OPEN_LIST) {
    if (open.length >= MAX_DEPTH) return "broken";
    scan.at += 1;
    if (place !== undefined) {
      if (code === OPEN_LIST) place.lists += 1;
      else place.objects += 1;
    }
    open.push({ isList: code === OPEN_LIST, shape: place, count: 0 });
    return "opened";
  }
  if (code === QUOTE) {
    scan.at = endOfString(text, start);
    if (scan.at > text.length) return "broken";
    noteString(scan, start);
    return "ended";
  }
  const word = WORDS.get(code);
  NUMBER.lastIndex = start;
  if (word === undefined ? !NUMBER.test(text) : !text.startsWith(word.text, start)) return "broken";
  scan.at = word === undefined ? NUMBER.lastIndex : start + word.text.length;
  place?.scalars.add(word?.kind ?? "number");
  return "ended";
}

function close({ open, media }: Scan): void {
  const ended = open.pop();
  if (ended === undefined) return;
  const { isList, shape, count, mimeType, data, isBlob, hasUri } = ended;
  const type = isBlob === true && hasUri === true ? mimeType?.split("/")[0] : ended.type;
  if (isList && shape !== undefined) shape.longest = Math.max(shape.longest, count);
  if ((type === "image" || type === "audio") && mimeType !== undefined && data !== undefined) {
    if (mimeType.startsWith(`${type}/`))
      media.push({ type, mimeType, start: data.start, end: data.end, data: data.text });
  }
}

/** Begins the next member or item. */
function enter(scan: Scan, container: Open): boolean {
  container.count += 1;
  if (!container.isList) return readKey(scan);
  scan.place = scan.gatherer.itemOf(container.shape);
  scan.key = "";
  return true;
}

/** The index after the quote that ends the string which begins here; beyond the text where there is none. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length + 1;
}
