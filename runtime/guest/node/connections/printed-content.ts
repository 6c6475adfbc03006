import { ownValue, toJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { decodeText } from "./decode-text.ts";

const CONTENT = "structuredContent";

const printedContents = new WeakMap<JsonObject, Buffer>();

/** Gives a result its `structuredContent` as JSON text, which is parsed on the first read: that may throw a SyntaxError. */
export function holdPrinted(result: JsonObject, json: Buffer): void {
  printedContents.set(result, json);
  const define = (property: PropertyDescriptor): unknown =>
    Object.defineProperty(result, CONTENT, { ...property, enumerable: true, configurable: true });
  const get = (): JsonValue => {
    const value = JSON.parse(decodeText(json)) as JsonValue;
    define({ value, writable: true });
    return value;
  };
  define({ get });
}

/** The text of a result's `structuredContent`, in UTF-8, where it is held as text. */
export function printedContent(result: JsonObject): Buffer | undefined {
  return printedContents.get(result);
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
