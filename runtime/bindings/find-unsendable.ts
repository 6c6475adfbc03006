/** A part of an input that JSON would drop or empty without a word. */
export interface Unsendable {
  /** JSON Pointer (RFC 6901). */
  pointer: string;
  /** With its article, such as `a Promise`. */
  what: string;
  hint: string;
}

/** Typed arrays and buffers, of which JSON makes an object of numbers, or an empty one. */
const BYTES = /^(?:(?:Shared)?ArrayBuffer|DataView|(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array)$/;
const BYTES_HINT = "Pass base64 text, or an array of numbers.";

/**
 * What to pass in place of objects whose content JSON does not see, and how the language calls them. Every sandbox reads this text, so kinds
 * with the same hint share a line.
 */
const listHints = (): readonly (readonly [hint: string, tags: RegExp])[] => [
  ["Put `await` before it.", /^Promise$/],
  ["Pass Object.fromEntries(value).", /^(?:Map|Headers|FormData|URLSearchParams)$/],
  ["Pass [...value].", /^(?:Set|Generator|.+ Iterator)$/],
  ["Pass value.toArray().", /^Iterator Helper$/],
  ["Pass a plain object, or an array.", /^Weak(?:Map|Set|Ref)$/],
  ["Pass String(value).", /^(?:RegExp|Error)$/],
  [BYTES_HINT, BYTES],
  ["Read it with `for await`, and pass an array.", /^AsyncGenerator$/],
  ["Pass its text.", /^(?:Blob|File|Request|Response)$/],
];

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
  const hint = tag === "Object" ? undefined : listHints().find(([, tags]) => tags.test(tag))?.[0];
  const { toJSON } = value as { toJSON?: unknown };
  // A Buffer of Node has one, which gives an object of numbers too.
  if (typeof toJSON === "function" && hint !== BYTES_HINT) {
    // A date, an address, or what a class writes of itself; `toJSON` of a promise is none.
    const written: unknown = tag === "Date" ? undefined : Reflect.apply(toJSON, value, [""]);
    return written === value ? undefined : look(written, depth - 1);
  }
  if (hint !== undefined) return { pointer: "", what: `${/^[AEI]/.test(tag) ? "an" : "a"} ${tag}`, hint };
  for (const key of Object.keys(value)) {
    const found = look((value as Record<string, unknown>)[key], depth - 1);
    if (found !== undefined) return below(key.replaceAll("~", "~0").replaceAll("/", "~1"), found);
  }
  return undefined;
}

function below(step: string | number, found: Unsendable): Unsendable {
  return { ...found, pointer: `/${step}${found.pointer}` };
}
