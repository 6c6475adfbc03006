import { MAX_LISTED, type BigInts, type Truncation } from "../../../../schemas/run/protocol.ts";
import { isLongerThan } from "../../../../schemas/json/utf8.ts";
import { isPlainJson } from "./plain-json.ts";
import { errorFields, shapeOf } from "./value-shape.ts";

export interface PrintedResult {
  json: string;
  truncations: Truncation[];
  /** Present where BigInts became strings. */
  bigInts?: BigInts;
}

/** Says which part of a result is no JSON, and what to do. */
export class UnserializableResult extends Error {
  readonly hint: string;

  constructor(path: Path | undefined, what: string, hint: string) {
    super(`The result cannot be sent as JSON: ${path === undefined ? "it" : toPointer(path)} is ${what}`);
    this.hint = hint;
  }
}

/** Where a value is in the result; undefined for the result itself. A pointer is printed on demand only. */
interface Path {
  parent: Path | undefined;
  key: string | number;
}

const MAX_DEPTH = 200;
/** Less room than this is not worth beginning a string in. */
const MIN_STRING_BYTES = 16;

const dateToJson = Date.prototype.toJSON;

/**
 * Prints the result of a script as `JSON.stringify` would, with these differences: errors keep their name and message; a BigInt becomes a
 * string; what JSON would drop or empty without a word (functions, maps, promises, …) is an `UnserializableResult`; and what does not fit into
 * `maxBytes` of UTF-8 is left out by whole items and keys, each place with its counts. A getter may be read more than once.
 */
export function printResult(value: unknown, maxBytes: number, utf8Length: (text: string) => number): PrintedResult {
  if (isPlainJson(value, maxBytes, MAX_DEPTH)) {
    const json = (JSON.stringify(value) as string | undefined) ?? "null";
    if (!isLongerThan(json, maxBytes, utf8Length)) return { json, truncations: [] };
  }
  // Counting characters is cheap, and for most results the same. Where it is not, less room is tried.
  let room = maxBytes;
  for (;;) {
    const { print, truncations, bigInts } = makePrinter(room);
    const json = print(value, undefined, 0, false) ?? print(value, undefined, 0, true) ?? "null";
    const bytes = utf8Length(json);
    if (bytes <= maxBytes || json === "null") {
      const listed = { pointers: bigInts.slice(0, MAX_LISTED).map(toPointer), total: bigInts.length };
      return {
        json,
        truncations: truncations.slice(0, MAX_LISTED),
        ...(bigInts.length > 0 && { bigInts: listed }),
      };
    }
    room = Math.floor((Math.min(room, json.length) * maxBytes) / bytes) - 1;
  }
}

type Print = (value: unknown, path: Path | undefined, depth: number, mayCut: boolean) => string | undefined;
type PrintObject = (value: object, path: Path | undefined, depth: number, mayCut: boolean) => string | undefined;

interface Printer {
  truncations: Truncation[];
  /** The places of the BigInts that were printed. */
  bigInts: (Path | undefined)[];
  print: Print;
}

const sizeOf = (text: string, kept: number): number => JSON.stringify(text.slice(0, kept)).length;

/** `print` gives undefined where the value does not fit, or not without a cut where none is allowed; `room` is then as it was before. */
function makePrinter(maxCharacters: number): Printer {
  let room = maxCharacters;
  const open = new Set<object>();
  const truncations: Truncation[] = [];
  const bigInts: (Path | undefined)[] = [];

  const take = (text: string): string | undefined => {
    if (text.length > room) return undefined;
    room -= text.length;
    return text;
  };
  const note = (path: Path | undefined, unit: Truncation["unit"], kept: number, total: number): void => {
    truncations.push({ pointer: toPointer(path), unit, kept, total });
  };

  const printString = (text: string, path: Path | undefined, mayCut: boolean): string | undefined => {
    const whole = text.length > room ? undefined : take(JSON.stringify(text));
    if (whole !== undefined || !mayCut || room < MIN_STRING_BYTES) return whole;
    let kept = Math.min(text.length, room);
    for (let size = sizeOf(text, kept); size > room; size = sizeOf(text, kept)) kept = Math.floor((kept * room) / size);
    note(path, "characters", kept, text.length);
    return take(JSON.stringify(text.slice(0, kept)));
  };

  const printBigInt = (value: bigint, path: Path | undefined): string | undefined => {
    const text = take(`"${value}"`);
    if (text !== undefined) bigInts.push(path);
    return text;
  };

  const print: Print = (value, path, depth, mayCut) => {
    if (typeof value === "string") return printString(value, path, mayCut);
    if (value === undefined || value === null) return take("null");
    if (typeof value === "number") return take(Number.isFinite(value) ? String(value) : "null");
    if (typeof value === "boolean") return take(String(value));
    if (typeof value === "bigint") return printBigInt(value, path);
    if (typeof value !== "object") throw toUnserializable(value, path);
    if (open.has(value))
      throw new UnserializableResult(path, "a reference to itself", "Return a copy without the cycle.");
    if (depth > MAX_DEPTH)
      throw new UnserializableResult(path, `nested deeper than ${MAX_DEPTH}`, "Return a flatter value.");
    open.add(value);
    const roomBefore = room;
    const notedBefore = truncations.length;
    const bigIntsBefore = bigInts.length;
    const text = printObject(value, path, depth, mayCut);
    if (text === undefined) {
      room = roomBefore;
      truncations.length = notedBefore;
      bigInts.length = bigIntsBefore;
    }
    open.delete(value);
    return text;
  };

  const printObject: PrintObject = (value, path, depth, mayCut) => {
    const shape = shapeOf(value);
    if (shape === "map" || shape === "set" || shape === "promise") throw toUnserializable(value, path, shape);
    if (shape === "array") return printArray(value as unknown[], path, depth, mayCut);
    const printRecord = mayCut ? printCutRecord : printWholeRecord;
    if (shape === "error") return printRecord(errorFields(value), path, depth, mayCut);
    const toJson: unknown = shape === "date" ? dateToJson : (value as { toJSON?: unknown }).toJSON;
    if (typeof toJson !== "function") return printRecord(value, path, depth, mayCut);
    const replaced: unknown = Reflect.apply(toJson, value, [String(path?.key ?? "")]);
    return replaced === value ? printRecord(value, path, depth, mayCut) : print(replaced, path, depth + 1, mayCut);
  };

  const printArray = (items: unknown[], path: Path | undefined, depth: number, mayCut: boolean): string | undefined => {
    if (take("[]") === undefined) return undefined;
    const parts: string[] = [];
    const total = items.length;
    for (let index = 0; index < total; index += 1) {
      const roomBefore = room;
      const text =
        index === 0 || take(",") !== undefined ? printItem(items[index], index, path, depth, mayCut) : undefined;
      if (text === undefined) {
        room = roomBefore;
        if (!mayCut) return undefined;
        note(path, "items", parts.length, total);
        break;
      }
      parts.push(text);
    }
    return `[${parts.join(",")}]`;
  };

  /** Only whole items are kept, but for the first: half an item is better than an empty list. */
  const printItem = (item: unknown, index: number, parent: Path | undefined, depth: number, mayCut: boolean) => {
    const path = { parent, key: index };
    const whole = print(item, path, depth + 1, false);
    return whole === undefined && mayCut && index === 0 ? print(item, path, depth + 1, true) : whole;
  };

  const printMember = (
    key: string,
    member: unknown,
    isFirst: boolean,
    parent: Path | undefined,
    depth: number,
    mayCut: boolean,
  ) => {
    const roomBefore = room;
    const name = take(`${isFirst ? "" : ","}${JSON.stringify(key)}:`);
    const text = name === undefined ? undefined : print(member, { parent, key }, depth + 1, mayCut);
    if (text === undefined) room = roomBefore;
    return text === undefined ? undefined : `${name}${text}`;
  };

  const printWholeRecord: PrintObject = (value, path, depth) => {
    if (take("{}") === undefined) return undefined;
    let text = "";
    for (const key of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[key];
      if (member === undefined) continue;
      const printed = printMember(key, member, text === "", path, depth, false);
      if (printed === undefined) return undefined;
      text += printed;
    }
    return `{${text}}`;
  };

  /** Scalars go first: a count or a flag beside a list that is too long survives it. */
  const printCutRecord: PrintObject = (value, path, depth) => {
    if (take("{}") === undefined) return undefined;
    const members = Object.keys(value)
      .map((key): [string, unknown] => [key, (value as Record<string, unknown>)[key]])
      .filter(([, member]) => member !== undefined);
    const parts = new Map<string, string>();
    for (const [key, member] of [...members.filter(isScalar), ...members.filter((entry) => !isScalar(entry))]) {
      const printed = printMember(key, member, parts.size === 0, path, depth, true);
      if (printed !== undefined) parts.set(key, parts.size === 0 ? printed : printed.slice(1));
    }
    if (parts.size < members.length) note(path, "keys", parts.size, members.length);
    return `{${members.flatMap(([key]) => parts.get(key) ?? []).join(",")}}`;
  };

  return { truncations, bigInts, print };
}

function isScalar([, value]: [string, unknown]): boolean {
  return typeof value !== "object" || value === null;
}

/** JSON Pointer (RFC 6901); keys are shortened to what a reader needs. */
function toPointer(path: Path | undefined): string {
  if (path === undefined) return "";
  const key = String(path.key).slice(0, 80).replaceAll("~", "~0").replaceAll("/", "~1");
  return `${toPointer(path.parent)}/${key}`;
}

function toUnserializable(value: unknown, path: Path | undefined, shape?: string): UnserializableResult {
  if (shape === "map") return new UnserializableResult(path, "a Map", "Return Object.fromEntries(map) or [...map].");
  if (shape === "set") return new UnserializableResult(path, "a Set", "Return [...set].");
  if (shape === "promise") return new UnserializableResult(path, "a promise", "Await it before it becomes the result.");
  return new UnserializableResult(path, `a ${typeof value}`, `Leave the ${typeof value} out of the result.`);
}
