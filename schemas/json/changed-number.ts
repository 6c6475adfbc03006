/** A number of JSON text that JavaScript reads as another one. */
export interface ChangedNumber {
  /** Its place, as a JSON pointer. */
  pointer: string;
  written: string;
  read: string;
}

/** Fewer digits are always kept. */
const MANY_DIGITS = /\d{16}/;
const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * The first integer of a JSON text that no double holds, such as 9007199254740993, within the member `below` of its root (`/result/id`).
 * @param json valid JSON
 */
export function findChangedNumber(json: string, below = ""): ChangedNumber | undefined {
  if (!MANY_DIGITS.test(json)) return undefined;
  /** The key, as JSON, or the index at each depth. */
  const path: (string | number)[] = [];
  let isKey = false;
  for (let at = 0; at < json.length; at += 1) {
    const mark = json[at] as string;
    if (mark === "{" || mark === "[") {
      path.push(mark === "{" ? "" : 0);
      isKey = mark === "{";
    } else if (mark === "}" || mark === "]") {
      path.pop();
    } else if (mark === ",") {
      const last = path.at(-1);
      isKey = typeof last === "string";
      if (typeof last === "number") path[path.length - 1] = last + 1;
    } else if (mark === '"') {
      const end = endOfText(json, at);
      if (isKey) path[path.length - 1] = json.slice(at, end);
      isKey = false;
      at = end - 1;
    } else if (mark === "-" || (mark >= "0" && mark <= "9")) {
      NUMBER.lastIndex = at;
      const written = NUMBER.exec(json)?.[0] ?? mark;
      at += written.length - 1;
      const pointer = isChanged(written) ? path.map(toStep).join("") : undefined;
      if (pointer?.startsWith(below) === true)
        return { pointer: pointer.slice(below.length), written, read: String(Number(written)) };
    }
  }
  return undefined;
}

/** Where the text of JSON ends that begins at a quote: behind the next one that is not escaped. */
export function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === "\\") at += 1;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
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
