/** A part of an input that JSON would drop or empty without a word. */
export interface Unsendable {
  /** JSON Pointer (RFC 6901). */
  pointer: string;
  /** With its article, such as `a promise`. */
  what: string;
  hint: string;
}

/** Objects whose content JSON does not see, by what the language calls them, with what to pass in their place. */
const EMPTIED: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  Promise: ["a promise", "Put `await` before it."],
  Map: ["a Map", "Pass Object.fromEntries(map) or [...map]."],
  Set: ["a Set", "Pass [...set]."],
  WeakMap: ["a WeakMap", "Pass a plain object."],
  WeakSet: ["a WeakSet", "Pass an array."],
  WeakRef: ["a WeakRef", "Pass what it refers to."],
  RegExp: ["a RegExp", "Pass its source, or String(regexp)."],
  Error: ["an error", "Pass its message, or String(error)."],
  Generator: ["a generator", "Pass [...generator]."],
  AsyncGenerator: ["an async generator", "Read it with `for await`, and pass an array."],
  "Map Iterator": ["an iterator", "Pass [...iterator]."],
  "Set Iterator": ["an iterator", "Pass [...iterator]."],
  "Array Iterator": ["an iterator", "Pass [...iterator]."],
  "Iterator Helper": ["an iterator", "Pass iterator.toArray()."],
  ArrayBuffer: ["an ArrayBuffer", "Pass base64 text, or [...new Uint8Array(buffer)]."],
  SharedArrayBuffer: ["a SharedArrayBuffer", "Pass [...new Uint8Array(buffer)]."],
  DataView: ["a DataView", "Pass an array of numbers."],
  URLSearchParams: ["URLSearchParams", "Pass String(parameters), or Object.fromEntries(parameters)."],
  Headers: ["Headers", "Pass Object.fromEntries(headers)."],
  FormData: ["FormData", "Pass Object.fromEntries(form)."],
  Blob: ["a Blob", "Pass its text."],
  File: ["a File", "Pass its text."],
  Request: ["a Request", "Pass its address."],
  Response: ["a Response", "Pass `await response.json()`."],
};

/** What JSON itself refuses, or a circle, ends there. */
const MAX_DEPTH = 1_000;

/** The first part of an input that a server would not get as it is; undefined where there is none. */
export function findUnsendable(input: unknown): Unsendable | undefined {
  return look(input, MAX_DEPTH);
}

/** The pointer is put together on the way back: nearly every input has nothing to point at. */
function look(value: unknown, depth: number): Unsendable | undefined {
  switch (typeof value) {
    case "function":
      return { pointer: "", what: "a function", hint: "Call it, and pass what it returns." };
    case "symbol":
      return { pointer: "", what: "a symbol", hint: "Pass a string." };
    case "number":
      return Number.isFinite(value) ? undefined : { pointer: "", what: String(value), hint: "Pass a number, or null." };
    case "object":
      return value === null || depth === 0 ? undefined : lookInto(value, depth);
    default:
      return undefined;
  }
}

function lookInto(value: object, depth: number): Unsendable | undefined {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = look(value[index], depth - 1);
      if (found !== undefined) return below(index, found);
    }
    return undefined;
  }
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === "Date" && Number.isNaN(Number(value)))
    return {
      pointer: "",
      what: "a Date that is none",
      hint: "Check how it was made: `new Date(text)` could not read its text.",
    };
  const [what, hint] = (Object.hasOwn(EMPTIED, tag) && EMPTIED[tag]) || [];
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") {
    // A date, an address, or what a class writes of itself; `toJSON` of a promise is none.
    const written: unknown = tag === "Date" ? undefined : Reflect.apply(toJSON, value, [""]);
    return written === value ? undefined : look(written, depth - 1);
  }
  if (what !== undefined && hint !== undefined) return { pointer: "", what, hint };
  for (const key of Object.keys(value)) {
    const found = look((value as Record<string, unknown>)[key], depth - 1);
    if (found !== undefined) return below(key.replaceAll("~", "~0").replaceAll("/", "~1"), found);
  }
  return undefined;
}

function below(step: string | number, found: Unsendable): Unsendable {
  return { ...found, pointer: `/${step}${found.pointer}` };
}
