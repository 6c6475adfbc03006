/** A number of JSON text that JavaScript reads as another one. */
export interface ChangedNumber {
  /** Its place, as a JSON pointer. */
  pointer: string;
  written: string;
  read: string;
}

/** Fewer digits are always kept. */
const MANY_DIGITS = /\d{16}/;
/** A text, a number, or a mark; JSON has no other tokens that matter here. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[[\]{},]/g;

/**
 * The first integer of a JSON text that no double holds, such as 9007199254740993, within the member `below` of its root (`/result/id`).
 * @param json valid JSON
 */
export function findChangedNumber(json: string, below = ""): ChangedNumber | undefined {
  if (!MANY_DIGITS.test(json)) return undefined;
  /** The key or index at each depth. */
  const path: (string | number)[] = [];
  let isKey = false;
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === "{" || token === "[") {
      path.push(token === "{" ? "" : 0);
      isKey = token === "{";
    } else if (token === "}" || token === "]") {
      path.pop();
      isKey = false;
    } else if (token === ",") {
      const last = path.at(-1);
      isKey = typeof last === "string";
      if (typeof last === "number") path[path.length - 1] = last + 1;
    } else if (token.startsWith('"')) {
      if (isKey) path[path.length - 1] = token;
      isKey = false;
    } else if (isChanged(token)) {
      const pointer = path.map(toStep).join("");
      if (pointer.startsWith(below))
        return { pointer: pointer.slice(below.length), written: token, read: String(Number(token)) };
    }
  }
  return undefined;
}

/** Whether an integer, as JSON or a script writes it, is another one as a double. */
export function isChanged(integer: string): boolean {
  if (!/^-?\d{16,400}$/.test(integer)) return false;
  const read = Number(integer);
  return !Number.isFinite(read) || BigInt(read) !== BigInt(integer);
}

function toStep(part: string | number): string {
  const name = typeof part === "number" ? String(part) : part === "" ? "" : (JSON.parse(part) as string);
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
