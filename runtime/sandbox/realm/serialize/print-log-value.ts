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
  const printer = new Printer(maxCharacters);
  const parts: string[] = [];
  for (const arg of args) {
    if (printer.isFull()) break;
    parts.push(printer.printTop(arg));
  }
  return parts.join(" ");
}

class Printer {
  #room: number;
  readonly #open = new Set<object>();

  constructor(maxCharacters: number) {
    this.#room = maxCharacters;
  }

  isFull(): boolean {
    return this.#room < 0;
  }

  printTop(value: unknown): string {
    if (typeof value === "object" && value !== null) return this.#printObject(value, 0);
    return this.#take(typeof value === "function" ? nameOf(value) : String(value));
  }

  #take(text: string): string {
    const kept = text.length > this.#room ? text.slice(0, Math.max(this.#room, 0) + 1) : text;
    this.#room -= kept.length + 1;
    return kept;
  }

  #quote(text: string): string {
    return JSON.stringify(this.#take(text));
  }

  /** What stands for a value: a string inside of JSON, and bare where it is the whole argument. */
  #standIn(text: string, depth: number): string {
    return depth === 0 ? this.#take(text) : this.#quote(text);
  }

  #printNested(value: unknown, depth: number): string {
    if (typeof value === "string") return this.#quote(value);
    if (typeof value === "number") return this.#take(Number.isFinite(value) ? String(value) : `"${value}"`);
    if (typeof value === "boolean" || value === null) return this.#take(String(value));
    if (typeof value === "object") return this.#printObject(value, depth);
    return this.#quote(nameOf(value));
  }

  #printObject(value: object, depth: number): string {
    if (this.#open.has(value)) return this.#standIn("[Circular]", depth);
    if (depth > MAX_DEPTH) return this.#standIn("[Object]", depth);
    this.#open.add(value);
    try {
      return this.#printShape(value, depth);
    } catch {
      return this.#standIn("[Unserializable Object]", depth);
    } finally {
      this.#open.delete(value);
    }
  }

  #printShape(value: object, depth: number): string {
    switch (shapeOf(value)) {
      case "array":
        return this.#printList(value as unknown[], depth);
      case "error":
        return this.#printRecord(errorFields(value), depth);
      case "map":
        return `{"[Map]":${this.#printList(mapEntries.call(value as Map<unknown, unknown>), depth)}}`;
      case "set":
        return `{"[Set]":${this.#printList(setValues.call(value as Set<unknown>), depth)}}`;
      case "typed-array":
        return `{"[${typedArrayName(value)}]":${this.#printList(value as Uint8Array, depth)}}`;
      case "promise":
        return this.#standIn("[Promise: use await]", depth);
      case "regexp":
        return this.#standIn(toText(value), depth);
      default:
        return this.#printPlain(value, depth);
    }
  }

  #printPlain(value: object, depth: number): string {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON !== "function") return this.#printRecord(value, depth);
    const replaced: unknown = Reflect.apply(toJSON, value, [""]);
    return replaced === value ? this.#printRecord(value, depth) : this.#printNested(replaced, depth + 1);
  }

  #printList(items: Iterable<unknown> | ArrayLike<unknown>, depth: number): string {
    const parts: string[] = [];
    for (const item of iterate(items)) {
      if (this.#room <= 0) break;
      parts.push(item === undefined ? this.#take("null") : this.#printNested(item, depth + 1));
    }
    return `[${parts.join(",")}]`;
  }

  #printRecord(value: object, depth: number): string {
    const parts: string[] = [];
    for (const key of Object.keys(value).toSorted(byCodeUnits)) {
      if (this.#room <= 0) break;
      const member = readMember(value, key);
      if (member !== undefined) parts.push(`${this.#quote(key)}:${this.#printNested(member, depth + 1)}`);
    }
    return `{${parts.join(",")}}`;
  }
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
