import { MAX_LISTED, type BigInts, type Truncation } from "../../../../schemas/run/protocol.ts";
import { isLongerThan } from "../../../../schemas/json/utf8.ts";
import { isPlainJson } from "./plain-json.ts";
import { isBuffer, readView } from "../endowments/view-bytes.ts";
import { errorFields, shapeOf, typedArrayName, type ValueKind } from "./value-shape.ts";

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
    const printer = new ResultPrinter(room);
    const json = printer.print(value, undefined, 0, false) ?? printer.print(value, undefined, 0, true) ?? "null";
    const { truncations, bigInts } = printer;
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

const sizeOf = (text: string, kept: number): number => JSON.stringify(text.slice(0, kept)).length;

class ResultPrinter {
  readonly truncations: Truncation[] = [];
  /** The places of the BigInts that were printed. */
  readonly bigInts: (Path | undefined)[] = [];
  readonly #open = new Set<object>();
  #room: number;

  constructor(maxCharacters: number) {
    this.#room = maxCharacters;
  }

  #take(text: string): string | undefined {
    if (text.length > this.#room) return undefined;
    this.#room -= text.length;
    return text;
  }

  #note(path: Path | undefined, unit: Truncation["unit"], kept: number, total: number): void {
    this.truncations.push({ pointer: toPointer(path), unit, kept, total });
  }

  #printString(text: string, path: Path | undefined, mayCut: boolean): string | undefined {
    const whole = text.length > this.#room ? undefined : this.#take(JSON.stringify(text));
    if (whole !== undefined || !mayCut || this.#room < MIN_STRING_BYTES) return whole;
    let kept = Math.min(text.length, this.#room);
    for (let size = sizeOf(text, kept); size > this.#room; size = sizeOf(text, kept))
      kept = Math.floor((kept * this.#room) / size);
    this.#note(path, "characters", kept, text.length);
    return this.#take(JSON.stringify(text.slice(0, kept)));
  }

  #printBigInt(value: bigint, path: Path | undefined): string | undefined {
    const text = this.#take(`"${value}"`);
    if (text !== undefined) this.bigInts.push(path);
    return text;
  }

  /** Undefined where the value does not fit, or not without a cut where none is allowed; the room is then as it was before. */
  print(value: unknown, path: Path | undefined, depth: number, mayCut: boolean): string | undefined {
    if (typeof value === "string") return this.#printString(value, path, mayCut);
    if (value === undefined || value === null) return this.#take("null");
    if (typeof value === "number") return this.#take(Number.isFinite(value) ? String(value) : "null");
    if (typeof value === "boolean") return this.#take(String(value));
    if (typeof value === "bigint") return this.#printBigInt(value, path);
    if (typeof value !== "object") throw toUnserializable(value, path);
    if (this.#open.has(value))
      throw new UnserializableResult(path, "a reference to itself", "Return a copy without the cycle.");
    if (depth > MAX_DEPTH)
      throw new UnserializableResult(path, `nested deeper than ${MAX_DEPTH}`, "Return a flatter value.");
    this.#open.add(value);
    const roomBefore = this.#room;
    const notedBefore = this.truncations.length;
    const bigIntsBefore = this.bigInts.length;
    const text = this.#printObject(value, path, depth, mayCut);
    if (text === undefined) {
      this.#room = roomBefore;
      this.truncations.length = notedBefore;
      this.bigInts.length = bigIntsBefore;
    }
    this.#open.delete(value);
    return text;
  }

  #printObject(value: object, path: Path | undefined, depth: number, mayCut: boolean): string | undefined {
    const shape = shapeOf(value);
    if (shape === "map" || shape === "set" || shape === "promise") throw toUnserializable(value, path, shape);
    const bytes = nameOfBytes(value, shape);
    if (bytes !== undefined) throw new UnserializableResult(path, bytes, BYTES_HINT);
    if (shape === "array") return this.#printArray(value as unknown[], path, depth, mayCut);
    if (shape === "error") return this.#printRecord(errorFields(value), path, depth, mayCut);
    const toJson: unknown = shape === "date" ? dateToJson : (value as { toJSON?: unknown }).toJSON;
    if (typeof toJson !== "function") return this.#printRecord(value, path, depth, mayCut);
    const replaced: unknown = Reflect.apply(toJson, value, [String(path?.key ?? "")]);
    return replaced === value
      ? this.#printRecord(value, path, depth, mayCut)
      : this.print(replaced, path, depth + 1, mayCut);
  }

  #printArray(items: unknown[], path: Path | undefined, depth: number, mayCut: boolean): string | undefined {
    if (this.#take("[]") === undefined) return undefined;
    const parts: string[] = [];
    const total = items.length;
    for (let index = 0; index < total; index += 1) {
      const roomBefore = this.#room;
      const text =
        index === 0 || this.#take(",") !== undefined
          ? this.#printItem(items[index], index, path, depth, mayCut)
          : undefined;
      if (text === undefined) {
        this.#room = roomBefore;
        if (!mayCut) return undefined;
        this.#note(path, "items", parts.length, total);
        break;
      }
      parts.push(text);
    }
    return `[${parts.join(",")}]`;
  }

  /** Only whole items are kept, but for the first: half an item is better than an empty list. */
  #printItem(
    item: unknown,
    index: number,
    parent: Path | undefined,
    depth: number,
    mayCut: boolean,
  ): string | undefined {
    const path = { parent, key: index };
    const whole = this.print(item, path, depth + 1, false);
    return whole === undefined && mayCut && index === 0 ? this.print(item, path, depth + 1, true) : whole;
  }

  #printMember(
    key: string,
    member: unknown,
    isFirst: boolean,
    parent: Path | undefined,
    depth: number,
    mayCut: boolean,
  ): string | undefined {
    const roomBefore = this.#room;
    const name = this.#take(`${isFirst ? "" : ","}${JSON.stringify(key)}:`);
    const text = name === undefined ? undefined : this.print(member, { parent, key }, depth + 1, mayCut);
    if (text === undefined) this.#room = roomBefore;
    return text === undefined ? undefined : `${name}${text}`;
  }

  #printRecord(value: object, path: Path | undefined, depth: number, mayCut: boolean): string | undefined {
    return mayCut ? this.#printCutRecord(value, path, depth) : this.#printWholeRecord(value, path, depth);
  }

  #printWholeRecord(value: object, path: Path | undefined, depth: number): string | undefined {
    if (this.#take("{}") === undefined) return undefined;
    let text = "";
    for (const key of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[key];
      if (member === undefined) continue;
      const printed = this.#printMember(key, member, text === "", path, depth, false);
      if (printed === undefined) return undefined;
      text += printed;
    }
    return `{${text}}`;
  }

  /** Scalars go first: a count or a flag beside a list that is too long survives it. */
  #printCutRecord(value: object, path: Path | undefined, depth: number): string | undefined {
    if (this.#take("{}") === undefined) return undefined;
    const members = Object.keys(value)
      .map((key): [string, unknown] => [key, (value as Record<string, unknown>)[key]])
      .filter(([, member]) => member !== undefined);
    const parts = new Map<string, string>();
    for (const [key, member] of [...members.filter(isScalar), ...members.filter((entry) => !isScalar(entry))]) {
      const printed = this.#printMember(key, member, parts.size === 0, path, depth, true);
      if (printed !== undefined) parts.set(key, parts.size === 0 ? printed : printed.slice(1));
    }
    if (parts.size < members.length) this.#note(path, "keys", parts.size, members.length);
    return `{${members.flatMap(([key]) => parts.get(key) ?? []).join(",")}}`;
  }
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

const BYTES_HINT = "Return base64 text, such as btoa(String.fromCharCode(...bytes)), or a list: [...bytes].";

/** How a typed array, a buffer or a view of one is called; undefined for anything else. */
function nameOfBytes(value: object, shape: ValueKind): string | undefined {
  if (shape === "typed-array") {
    const name = typedArrayName(value);
    return `${name.startsWith("I") ? "an" : "a"} ${name}`;
  }
  // Nearly every object is of none of these, and of the language's own kind.
  if (shape !== "plain" || Object.getPrototypeOf(value) === Object.prototype) return undefined;
  if (isBuffer(value)) return "an ArrayBuffer";
  return readView(value) === undefined ? undefined : "a DataView";
}

function toUnserializable(value: unknown, path: Path | undefined, shape?: string): UnserializableResult {
  if (shape === "map") return new UnserializableResult(path, "a Map", "Return Object.fromEntries(map) or [...map].");
  if (shape === "set") return new UnserializableResult(path, "a Set", "Return [...set].");
  if (shape === "promise") return new UnserializableResult(path, "a promise", "Await it before it becomes the result.");
  if (typeof value === "function" && path === undefined)
    return new UnserializableResult(path, "a function", "Call it, and export what it returns.");
  return new UnserializableResult(path, `a ${typeof value}`, `Leave the ${typeof value} out of the result.`);
}
