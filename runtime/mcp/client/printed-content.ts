import { ownValue, toJsonObject, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import { decodeUtf8 } from "./decode-text.ts";

const CONTENT = "structuredContent";

/** From this size on, the large part of an answer is parsed on demand only. */
export const LONG_CONTENT_BYTES = 256 * 1024;

interface Printed {
  json: Buffer;
  depth: number;
}

const printedContents = new WeakMap<JsonObject, Printed>();

/**
 * Gives a result its `structuredContent` as JSON text, which is parsed on the first read: that may throw a SyntaxError.
 * @param depth how deep its brackets are nested, where that is known
 */
export function holdPrinted(result: JsonObject, json: Buffer, depth = Infinity): void {
  printedContents.set(result, { json, depth });
  const define = (property: PropertyDescriptor): unknown =>
    Object.defineProperty(result, CONTENT, { ...property, enumerable: true, configurable: true });
  const get = (): JsonValue => {
    const value = JSON.parse(decodeUtf8(json)) as JsonValue;
    define({ value, writable: true });
    return value;
  };
  define({ get });
}

/** The text of a result's `structuredContent`, in UTF-8, where it is held as text. */
export function printedContent(result: JsonObject): Buffer | undefined {
  return printedContents.get(result)?.json;
}

/** How deep the brackets of that text are nested; infinite where it was not counted. */
export function printedDepth(result: JsonObject): number {
  return printedContents.get(result)?.depth ?? Infinity;
}

/** The rest of a result, without reading its `structuredContent`. */
export function withoutContent(result: JsonObject): JsonObject {
  const keys = Object.keys(result).filter((key) => key !== CONTENT);
  return toJsonObject(keys.map((key) => [key, result[key] as JsonValue]));
}

/** The same result with nothing left to parse. Throws a SyntaxError. */
export function parsePrinted(result: JsonObject): JsonObject {
  if (printedContents.delete(result)) ownValue(result, CONTENT);
  return result;
}
