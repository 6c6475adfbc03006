import { isSurrogatePair } from "../../schemas/json/utf8.ts";
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
import { endOfString } from "./scan-json.ts";

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
