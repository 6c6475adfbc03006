import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { isLongerThan, isSurrogatePair } from "../../schemas/json/utf8.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { printSketch, printType } from "./value-shape.ts";
import { KEPT_MINUTES } from "../bounded-cache.ts";
import type { ResultCache } from "./result-cache.ts";
import { scanJson, endOfString, type MediaPlace } from "./scan-json.ts";
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

/** What becomes of the result of one run on its way to an agent. */
export type ServedResult = ReturnType<typeof makeServedResult>;

/** A beginning for a look at the data; a model reads some 700 tokens of it. */
const BEGINNING_LENGTH = 2048;

/**
 * Makes what takes the result of one run.
 * @param maxBytes of the JSON text
 * @param takesMedia whether images and sounds go beside the answer
 */
export function makeServedResult(cache: ResultCache, session: string, maxBytes: number, takesMedia: boolean) {
  const findings: Diagnostic[] = [];
  let media: readonly JsonObject[] = [];
  return {
    /** Of a result's JSON text: what the answer holds of it; undefined where it is no JSON. */
    read(json: string): JsonValue | undefined {
      const scan = scanJson(json);
      if (scan === undefined) return undefined;
      const taken = takesMedia ? takeMedia(json, scan.media) : { json, blocks: [] };
      media = taken.blocks;
      try {
        if (!isLongerThan(taken.json, maxBytes, Buffer.byteLength)) return JSON.parse(taken.json) as JsonValue;
        const beginning = JSON.parse(cutJson(taken.json, Math.min(BEGINNING_LENGTH, maxBytes))) as JsonValue;
        const bytes = Buffer.from(json);
        const id = cache.keep(session, bytes, printType(scan.shape));
        const isShared = cache.mostShared === undefined || bytes.length <= cache.mostShared;
        findings.push(describeKept(id, { bytes: bytes.length, maxBytes, sketch: printSketch(scan.shape), isShared }));
        return beginning;
      } catch {
        return undefined; // A string of it is broken.
      }
    },
    /** What is to be said of it. */
    findings: (): Diagnostic[] => findings,
    /** Images and sounds that were in it, as content blocks of MCP, in the order of their placeholders. */
    media: (): readonly JsonObject[] => media,
  };
}

function describeKept(
  id: string,
  { bytes, maxBytes, sketch, isShared }: { bytes: number; maxBytes: number; sketch: string; isShared: boolean },
): Diagnostic {
  const whole = `import previous from "@codemode/results/${id}";`;
  return {
    severity: "warning",
    code: "RESULT_TRUNCATED",
    message: `The result has ${bytes} bytes, more than maxResultBytes (${maxBytes}): "result" is its beginning only. All of it is kept for ${KEPT_MINUTES} minutes${isShared ? "" : ", in the one process that ran the script"}: ${sketch}`,
    hint: isShared
      ? `Do not run the script again: import the whole result in the next one, and return less of it: ${whole}`
      : `Return less of it. The next script may run in another process, which does not have it: ${whole}`,
  };
}

/** JSON text of at most so many characters and some brackets, with the beginning of what a longer one says: whole members and items, and of a last string as much as there is room for. */
export function cutJson(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  /** The closing brackets of what is open, the innermost first. */
  let closers = "";
  let kept = { end: 0, closers: "" };
  let isKey = false;
  const keep = (end: number): void => {
    kept = { end, closers };
  };
  for (let at = 0; at < maxLength; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (end > maxLength) return isKey ? finish(text, kept) : `${cutString(text, at, maxLength)}"${closers}`;
      at = end - 1;
      if (!isKey) keep(end);
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      closers = (code === OPEN_OBJECT ? "}" : "]") + closers;
      isKey = code === OPEN_OBJECT;
      if (at === 0) keep(1);
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      closers = closers.slice(1);
      keep(at + 1);
    } else if (code === COMMA) {
      // A number or a word before it is complete now.
      keep(at);
      isKey = closers.startsWith("}");
    } else if (code === COLON) isKey = false;
  }
  return finish(text, kept);
}

function finish(text: string, { end, closers }: { end: number; closers: string }): string {
  return end === 0 ? "null" : text.slice(0, end) + closers;
}

/** Up to the end of the last whole character of a string that begins there. */
function cutString(text: string, start: number, maxLength: number): string {
  let end = start + 1;
  for (;;) {
    const isEscape = text.charCodeAt(end) === BACKSLASH;
    const length = isEscape ? (text[end + 1] === "u" ? 6 : 2) : isSurrogatePair(text, end) ? 2 : 1;
    if (end + length > maxLength) return text.slice(0, end);
    end += length;
  }
}

/** More stays in the result as text. */
const MOST_MEDIA = 20;
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** A result without its images and sounds. */
interface TakenMedia {
  /** The JSON text, where `content` stands in the place of each `data`: which of the blocks it is, from 1. */
  json: string;
  /** Content blocks of MCP. */
  blocks: JsonObject[];
}

/** Takes images and sounds out of a result: as text they cost a model tokens and show it nothing. */
export function takeMedia(json: string, media: readonly MediaPlace[]): TakenMedia {
  const parts: string[] = [];
  const blocks: JsonObject[] = [];
  let end = 0;
  let characters = 0;
  for (const { type, mimeType, data, ...place } of media.toSorted((left, right) => left.start - right.start)) {
    const isTaken = blocks.length < MOST_MEDIA && characters + data.length <= MOST_CHARACTERS;
    if (!isTaken || !MIME_TYPE.test(mimeType) || !BASE64.test(data)) continue;
    characters += data.length;
    blocks.push({ type, data, mimeType });
    parts.push(json.slice(end, place.start), `"content":${blocks.length}`);
    ({ end } = place);
  }
  return { json: blocks.length === 0 ? json : parts.join("") + json.slice(end), blocks };
}

const MIME_TYPE = /^(?:image|audio)\/[\w.+-]+$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
