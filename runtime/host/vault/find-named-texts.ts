import type { JsonValue } from "../../../schemas/json/json.ts";
import { parseForeignJson } from "../../sandbox/pool/frames.ts";

/** A value that stands under a name in a text. */
export interface NamedText {
  name: string;
  text: string;
}

/** A name, with `:` or `=` after it. It is only looked for where a word begins, and is bounded: hostile texts cost linear time. */
const NAME = /(?<![\w.-])([\w.-]{1,64})\\*["']?\s{0,4}[:=]\s{0,4}/g;

/** What follows a name where no quotes stand around it: a word, after the scheme of a credential. */
const WORD = /(?:(?:bearer|basic|token|digest)\s{1,4})?([^\s"'\\,;&<>()[\]{}]+)/iy;

/** In single quotes. Where the second one is missing, the text ends. */
const SINGLE = /'([^']+)/y;

/** The quote before a value, with the backslashes of JSON that is printed into JSON. */
const QUOTE = /(\\*)"/y;

const SCHEME = /^(?:bearer|basic|token|digest)\s{1,4}(?=\S)/i;

/** The credential of an `Authorization` header, without the word before it. */
export function withoutScheme(text: string): string {
  return text.replace(SCHEME, "");
}

/**
 * Finds the values under the names that are wanted: `Authorization: Bearer x`, `token=x`, `"password": "two words"`, as in headers,
 * queries and printed JSON. Of a quoted value it gives what stands in the text, escapes and all, and what that means.
 */
export function findNamedTexts(text: string, isWanted: (name: string) => boolean): NamedText[] {
  const found: NamedText[] = [];
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match !== null; match = NAME.exec(text)) {
    const [, name = ""] = match;
    if (!isWanted(name)) continue;
    const { value, end } = readValue(text, NAME.lastIndex);
    NAME.lastIndex = end;
    const texts = [value, unescape(value)].map(withoutScheme);
    for (const part of new Set(texts)) if (part !== "") found.push({ name, text: part });
  }
  return found;
}

function readValue(text: string, start: number): { value: string; end: number } {
  const quote = matchAt(QUOTE, text, start);
  if (quote !== null) {
    const begin = start + quote[0].length;
    const end = endOfQuoted(text, begin, (quote[1] as string).length);
    return { value: text.slice(begin, end), end };
  }
  const [whole, value] = matchAt(SINGLE, text, start) ?? matchAt(WORD, text, start) ?? ["", ""];
  return { value: value ?? "", end: start + whole.length };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * Where the quote begins that ends a value, with its backslashes. Each time that JSON is printed into JSON, n backslashes before a quote
 * become 2n + 1: before the quotes around a value there are 0, 1, 3, 7 …, and before one inside of it as many more as an odd number of
 * escapes makes.
 */
function endOfQuoted(text: string, begin: number, backslashes: number): number {
  const period = 2 * (backslashes + 1);
  for (let at = text.indexOf('"', begin); at >= 0; at = text.indexOf('"', at + 1)) {
    let run = 0;
    while (at - run > begin && text[at - run - 1] === "\\") run += 1;
    if (run % period === backslashes) return at - backslashes;
  }
  return text.length;
}

/** What a text in JSON means; JSON that is printed into JSON is escaped more than once. */
function unescape(text: string): string {
  let plain = text;
  for (let time = 0; time < MAX_PRINTED && plain.includes("\\"); time += 1) {
    const parsed: JsonValue | undefined = parseForeignJson(`"${plain}"`);
    if (typeof parsed !== "string") break;
    plain = parsed;
  }
  return plain;
}

/** How often a value may have been printed into another one. */
const MAX_PRINTED = 3;
