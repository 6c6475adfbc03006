import { randomUUID } from "node:crypto";
import { isJsonObject, ownValue } from "../../../../schemas/json/json.ts";
import { decodeUtf8 } from "../decode-text.ts";
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
} from "../../../../schemas/json/json-marks.ts";
import { parseIncoming, type IncomingMessage } from "./json-rpc.ts";
import { holdPrinted } from "../printed-content.ts";

const START = Buffer.from('"structuredContent":');
/** What servers write after it, up to the end of the answer, where it is the last large part. */
const END =
  /\}(?:\s*,\s*"isError"\s*:\s*false)?\s*\}(?:\s*,\s*"jsonrpc"\s*:\s*"2\.0"|\s*,\s*"id"\s*:\s*"?\d{1,15}"?)*\s*\}\s*$/;
const MAX_END_BYTES = 256;

/** No server can know it. Made when it is first needed: a Worker has no random numbers before its first request. */
let placeholder: string | undefined;

/**
 * Reads a long answer without parsing its `structuredContent`, which the result then holds as text (`printedContent`). The text is taken
 * out by its place; that it is the whole of this member, and nothing but one object by its brackets, is checked.
 *
 * @returns undefined where the line is anything else: then it must be parsed as a whole
 */
export function parseLongAnswer(line: Buffer): IncomingMessage | undefined {
  const start = line.indexOf(START) + START.length;
  if (start < START.length) return undefined;
  const tail = line.toString("latin1", Math.max(line.length - MAX_END_BYTES, start));
  const match = END.exec(tail);
  if (match === null) return undefined;
  const end = line.length - tail.length + match.index + 1;
  const json = line.subarray(start, end);
  const objectDepth = depthOfObject(json);
  if (objectDepth === undefined) return undefined;
  placeholder ??= randomUUID();
  const rest = `${decodeUtf8(line.subarray(0, start))}"${placeholder}"${decodeUtf8(line.subarray(end))}`;
  const [incoming, ...others] = parseIncoming(rest);
  if (incoming?.kind !== "response" || others.length > 0) return undefined;
  const result = ownValue(incoming.message, "result");
  if (!isJsonObject(result) || ownValue(result, "structuredContent") !== placeholder) return undefined;
  holdPrinted(result, json, objectDepth);
  return incoming;
}

/**
 * How deep the brackets of a text are nested, if the one that it begins with is closed by its last byte and not before: so nothing in it can
 * end what it is put into. Undefined otherwise.
 */
function depthOfObject(json: Buffer): number | undefined {
  let index = 0;
  while (json[index] === SPACE) index += 1;
  if (json[index] !== OPEN_OBJECT) return undefined;
  let depth = 0;
  let deepest = 0;
  for (; index < json.length; index += 1) {
    const byte = json[index];
    if (byte === QUOTE) index = endOfString(json, index);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return index === json.length - 1 ? deepest : undefined;
    }
  }
  return undefined;
}

/** The index of the quote that ends the string which begins here; the length where there is none. */
function endOfString(json: Buffer, start: number): number {
  let index = start + 1;
  while (index < json.length && json[index] !== QUOTE) index += json[index] === BACKSLASH ? 2 : 1;
  return index;
}
