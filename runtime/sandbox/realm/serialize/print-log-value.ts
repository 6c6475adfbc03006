import { byCodeUnits } from "../../../../schemas/json/canonical-json.ts";
import { toText } from "../to-text.ts";
import { errorFields, shapeOf, typedArrayName } from "./value-shape.ts";

const MAX_DEPTH = 32;

const mapEntries = Map.prototype.entries;
const setValues = Set.prototype.values;

/**
 * Prints the arguments of a console call as one message (specification 3.3.1): scalars as `String` does, objects as JSON
 * with sorted keys. What JSON cannot say is named in brackets. Printing stops soon after `maxCharacters`, and never throws for
 * what a value does.
 */
export function printLogMessage(args: readonly unknown[], maxCharacters: number): string {
  const printer = makePrinter(maxCharacters);
  const parts: string[] = [];
  for (const arg of args) {
    if (printer.isFull()) break;
    parts.push(printer.printTop(arg));
  }
  return parts.join(" ");
}

interface Printer {
  printTop(value: unknown): string;
  isFull(): boolean;
}

function makePrinter(maxCharacters: number): Printer {
  let room = maxCharacters;
  const open = new Set<object>();

  const take = (text: string): string => {
    const kept = text.length > room ? text.slice(0, Math.max(room, 0) + 1) : text;
    room -= kept.length + 1;
    return kept;
  };
  const quote = (text: string): string => JSON.stringify(take(text));
  /** What stands for a value: a string inside of JSON, and bare where it is the whole argument. */
  const standIn = (text: string, depth: number): string => (depth === 0 ? take(text) : quote(text));

  const printNested = (value: unknown, depth: number): string => {
    if (typeof value === "string") return quote(value);
    if (typeof value === "number") return take(Number.isFinite(value) ? String(value) : `"${value}"`);
    if (typeof value === "boolean" || value === null) return take(String(value));
    if (typeof value === "object") return printObject(value, depth);
    return quote(nameOf(value));
  };
  const printObject = (value: object, depth: number): string => {
    if (open.has(value)) return standIn("[Circular]", depth);
    if (depth > MAX_DEPTH) return standIn("[Object]", depth);
    open.add(value);
    try {
      return printShape(value, depth);
    } catch {
      return standIn("[Unserializable Object]", depth);
    } finally {
      open.delete(value);
    }
  };
  const printShape = (value: object, depth: number): string => {
    switch (shapeOf(value)) {
      case "array":
        return printList(value as unknown[], depth);
      case "error":
        return printRecord(errorFields(value), depth);
      case "map":
        return `{"[Map]":${printList(mapEntries.call(value as Map<unknown, unknown>), depth)}}`;
      case "set":
        return `{"[Set]":${printList(setValues.call(value as Set<unknown>), depth)}}`;
      case "typed-array":
        return `{"[${typedArrayName(value)}]":${printList(value as Uint8Array, depth)}}`;
      case "promise":
        return standIn("[Promise: use await]", depth);
      case "regexp":
        return standIn(toText(value), depth);
      default:
        return printPlain(value, depth);
    }
  };
  const printPlain = (value: object, depth: number): string => {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON !== "function") return printRecord(value, depth);
    const replaced: unknown = Reflect.apply(toJSON, value, [""]);
    return replaced === value ? printRecord(value, depth) : printNested(replaced, depth + 1);
  };
  const printList = (items: Iterable<unknown> | ArrayLike<unknown>, depth: number): string => {
    const parts: string[] = [];
    for (const item of iterate(items)) {
      if (room <= 0) break;
      parts.push(item === undefined ? take("null") : printNested(item, depth + 1));
    }
    return `[${parts.join(",")}]`;
  };
  const printRecord = (value: object, depth: number): string => {
    const parts: string[] = [];
    for (const key of Object.keys(value).toSorted(byCodeUnits)) {
      if (room <= 0) break;
      const member = readMember(value, key);
      if (member !== undefined) parts.push(`${quote(key)}:${printNested(member, depth + 1)}`);
    }
    return `{${parts.join(",")}}`;
  };

  return {
    isFull: () => room < 0,
    printTop(value) {
      if (typeof value === "object" && value !== null) return printObject(value, 0);
      return take(typeof value === "function" ? nameOf(value) : String(value));
    },
  };
}

/** Arrays by index, up to the length they claim: their iterator may be the script's. Maps and sets by the language's own iterators. */
function* iterate(items: Iterable<unknown> | ArrayLike<unknown>): Generator {
  if (!("length" in items)) return yield* items;
  for (let index = 0; index < items.length; index += 1) yield items[index];
}

function readMember(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return "[Threw]";
  }
}

/** A word for what JSON has none for. */
function nameOf(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "function") return String(value);
  const name: unknown = Object.getOwnPropertyDescriptor(value, "name")?.value;
  return typeof name === "string" && name !== "" ? `[Function ${name}]` : "[Function]";
}
