import { MAX_LISTED, type Truncation } from "../../../../schemas/protocol.ts";
import { utf8Length } from "../../../../schemas/utf8.ts";
import { errorFields, shapeOf } from "./value-shape.ts";

export interface PrintedResult {
  json: string;
  truncations: Truncation[];
}

/** Says which part of a result is no JSON, and what to do. */
export class UnserializableResult extends Error {
  readonly hint: string;

  constructor(pointer: string, what: string, hint: string) {
    super(`The result cannot be sent as JSON: ${pointer === "" ? "it" : pointer} is ${what}`);
    this.hint = hint;
  }
}

const MAX_DEPTH = 200;
/** Less room than this is not worth beginning a string in. */
const MIN_STRING_BYTES = 16;

const dateToJson = Date.prototype.toJSON;

/**
 * Prints the result of a script as `JSON.stringify` would, with these differences: errors keep their name and message; what JSON would
 * drop or empty without a word (functions, maps, promises, …) is an `UnserializableResult`; and what does not fit into
 * `maxBytes` of UTF-8 is left out by whole items and keys, each place with its counts.
 */
export function printResult(value: unknown, maxBytes: number): PrintedResult {
  const printer = makePrinter(maxBytes);
  const json = printer.print(value, "", 0, true);
  return { json: json ?? "null", truncations: printer.truncations.slice(0, MAX_LISTED) };
}

interface Printer {
  truncations: Truncation[];
  print(value: unknown, pointer: string, depth: number, mayCut: boolean): string | undefined;
}

/** `print` gives undefined where the value does not fit, or not without a cut where none is allowed; `room` is then as it was before. */
function makePrinter(maxBytes: number): Printer {
  let room = maxBytes;
  const open = new Set<object>();
  const truncations: Truncation[] = [];

  const take = (text: string): string | undefined => {
    const bytes = utf8Length(text);
    if (bytes > room) return undefined;
    room -= bytes;
    return text;
  };
  const note = (pointer: string, unit: Truncation["unit"], kept: number, total: number): void => {
    truncations.push({ pointer, unit, kept, total });
  };

  const printString = (text: string, pointer: string, mayCut: boolean): string | undefined => {
    const whole = text.length > room ? undefined : take(JSON.stringify(text));
    if (whole !== undefined || !mayCut || room < MIN_STRING_BYTES) return whole;
    let kept = Math.min(text.length, room);
    while (utf8Length(JSON.stringify(text.slice(0, kept))) > room) kept = Math.floor(kept * 0.8);
    note(pointer, "characters", kept, text.length);
    return take(JSON.stringify(text.slice(0, kept)));
  };

  const print: Printer["print"] = (value, pointer, depth, mayCut) => {
    if (typeof value === "string") return printString(value, pointer, mayCut);
    if (value === undefined || value === null) return take("null");
    if (typeof value === "number") return take(Number.isFinite(value) ? String(value) : "null");
    if (typeof value === "boolean") return take(String(value));
    if (typeof value !== "object") throw toUnserializable(value, pointer);
    if (open.has(value))
      throw new UnserializableResult(pointer, "a reference to itself", "Return a copy without the cycle.");
    if (depth > MAX_DEPTH)
      throw new UnserializableResult(pointer, `nested deeper than ${MAX_DEPTH}`, "Return a flatter value.");
    open.add(value);
    const [roomBefore, notedBefore] = [room, truncations.length];
    const text = printObject(value, pointer, depth, mayCut);
    if (text === undefined) {
      room = roomBefore;
      truncations.length = notedBefore;
    }
    open.delete(value);
    return text;
  };

  const printObject: (...args: [object, string, number, boolean]) => string | undefined = (
    value,
    pointer,
    depth,
    mayCut,
  ) => {
    const shape = shapeOf(value);
    if (shape === "map" || shape === "set" || shape === "promise") throw toUnserializable(value, pointer, shape);
    if (shape === "array") return printArray(value as unknown[], pointer, depth, mayCut);
    if (shape === "error") return printRecord(errorFields(value), pointer, depth, mayCut);
    const toJson: unknown = shape === "date" ? dateToJson : (value as { toJSON?: unknown }).toJSON;
    if (typeof toJson !== "function") return printRecord(value, pointer, depth, mayCut);
    const replaced: unknown = Reflect.apply(toJson, value, [pointer.slice(pointer.lastIndexOf("/") + 1)]);
    if (replaced === value) return printRecord(value, pointer, depth, mayCut);
    return print(replaced, pointer, depth + 1, mayCut);
  };

  const printArray = (items: unknown[], pointer: string, depth: number, mayCut: boolean): string | undefined => {
    if (take("[]") === undefined) return undefined;
    const parts: string[] = [];
    const total = items.length;
    for (let index = 0; index < total; index += 1) {
      const [roomBefore, notedBefore] = [room, truncations.length];
      const place = `${pointer}/${index}`;
      const fits = index === 0 || take(",") !== undefined;
      // Only whole items are kept, but for the first: half an item is better than an empty list.
      const text = fits
        ? (print(items[index], place, depth + 1, false) ?? tryCut(items[index], place, depth, mayCut && index === 0))
        : undefined;
      if (text === undefined) {
        room = roomBefore;
        truncations.length = notedBefore;
        if (!mayCut) return undefined;
        note(pointer, "items", parts.length, total);
        break;
      }
      parts.push(text);
    }
    return `[${parts.join(",")}]`;
  };

  const tryCut = (value: unknown, pointer: string, depth: number, mayCut: boolean): string | undefined =>
    mayCut ? print(value, pointer, depth + 1, true) : undefined;

  const printRecord = (value: object, pointer: string, depth: number, mayCut: boolean): string | undefined => {
    if (take("{}") === undefined) return undefined;
    const members = Object.keys(value)
      .map((key): [string, unknown] => [key, (value as Record<string, unknown>)[key]])
      .filter(([, member]) => member !== undefined);
    const parts = new Map<string, string>();
    // Scalars first: a count or a flag beside a list that is too long survives it.
    for (const [key, member] of members.toSorted(
      (left, right) => Number(isNested(left[1])) - Number(isNested(right[1])),
    )) {
      const roomBefore = room;
      const name = take(`${parts.size === 0 ? "" : ","}${JSON.stringify(key)}:`);
      const text = name === undefined ? undefined : print(member, `${pointer}/${escapeKey(key)}`, depth + 1, mayCut);
      if (text !== undefined) parts.set(key, `${JSON.stringify(key)}:${text}`);
      else if (!mayCut) return undefined;
      else room = roomBefore;
    }
    if (parts.size < members.length) note(pointer, "keys", parts.size, members.length);
    return `{${members.flatMap(([key]) => parts.get(key) ?? []).join(",")}}`;
  };

  return { truncations, print };
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** A key as a part of a JSON Pointer (RFC 6901), and no longer than a reader needs. */
function escapeKey(key: string): string {
  return key.slice(0, 80).replaceAll("~", "~0").replaceAll("/", "~1");
}

function toUnserializable(value: unknown, pointer: string, shape?: string): UnserializableResult {
  if (shape === "map") return new UnserializableResult(pointer, "a Map", "Return Object.fromEntries(map) or [...map].");
  if (shape === "set") return new UnserializableResult(pointer, "a Set", "Return [...set].");
  if (shape === "promise")
    return new UnserializableResult(pointer, "a promise", "Await it before it becomes the result.");
  if (typeof value === "bigint")
    return new UnserializableResult(pointer, "a BigInt", "Return String(value) or Number(value).");
  return new UnserializableResult(pointer, `a ${typeof value}`, `Leave the ${typeof value} out of the result.`);
}
