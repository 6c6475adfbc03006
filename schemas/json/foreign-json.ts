import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./json-marks.ts";
import type { JsonValue } from "./json.ts";

/** The deepest nesting that is taken from others: code that walks values calls itself once per level. */
export const MAX_DEPTH = 256;

/** Parses JSON text of others; undefined where it is none, or nested so deeply that it could exhaust our own stack. */
export function parseForeignJson(text: string): JsonValue | undefined {
  // A short text has no room for so many brackets.
  if (text.length > MAX_DEPTH && isDeeperThan(text, MAX_DEPTH)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Counts brackets outside of strings. */
function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) index = endOfString(text, index);
    else if (unit === OPEN_LIST || unit === OPEN_OBJECT) depth += 1;
    else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** The index of the quote that ends the string which begins here; the length of the text where there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
