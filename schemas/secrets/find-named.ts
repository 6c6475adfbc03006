import { matchesAny } from "../access/glob.ts";
import { parseForeignJson } from "../json/foreign-json.ts";
import { isJsonObject, type JsonValue } from "../json/json.ts";
import { SHORTEST } from "./shortest.ts";
import { lengthOfScheme, withoutScheme } from "./written-credentials.ts";

// Which values stand under names that someone has called secret, in JSON and in texts.

/** A value that stands under such a name. */
export interface NamedValue<Value = string | number> {
  name: string;
  value: Value;
}

/** Names come from servers: not all that there are can be remembered, and none is looked at in its whole length. */
const MOST_REMEMBERED = 10_000;
const LONGEST_NAME = 256;

/** Makes what tells whether one of the patterns matches a name (`*` and `?`, in any case). */
export function makeNameMatch(patterns: readonly string[]): (name: string) => boolean {
  const lowerPatterns = patterns.map((pattern) => pattern.toLowerCase());
  const verdicts = new Map<string, boolean>();
  return (longName) => {
    const name = longName.slice(0, LONGEST_NAME);
    const verdict = verdicts.get(name) ?? matchesAny(name.toLowerCase(), lowerPatterns);
    if (verdicts.size < MOST_REMEMBERED) verdicts.set(name, verdict);
    return verdict;
  };
}

/**
 * Finds every text and number under a name that is wanted, at any depth below it; and in texts, printed JSON among them, what stands under
 * such a name there and is long enough to be looked for elsewhere.
 */
export function findNamed(value: JsonValue, isWanted: (name: string) => boolean): NamedValue[] {
  const found: NamedValue[] = [];
  const look = (item: JsonValue, name: string | undefined): void => {
    if (Array.isArray(item)) for (const each of item) look(each, name);
    else if (isJsonObject(item)) {
      for (const [key, member] of Object.entries(item)) look(member, isWanted(key) ? key : name);
    } else if (name !== undefined) {
      if (typeof item === "number") found.push({ name, value: item });
      if (typeof item === "string" && item !== "") {
        for (const text of new Set([item, withoutScheme(item)])) found.push({ name, value: text });
      }
    } else if (typeof item === "string") {
      found.push(...findNamedTexts(item, isWanted).filter(({ value: text }) => text.length >= SHORTEST.anywhere));
      // Tools print their results: a list or an object under a name is found as one.
      look(parseForeignJson(item) ?? null, undefined);
    }
  };
  look(value, undefined);
  return found;
}

/** A name, with `:` or `=` after it. It is only looked for where a word begins, and is bounded: hostile texts cost linear time. */
const NAME = /(?<![\w.-])([\w.-]{1,64})\\*["']?\s{0,4}[:=]\s{0,4}/g;

/** What follows a name where no quotes stand around it: a word. */
const WORD = /[^\s"'\\,;&<>()[\]{}]+/y;

/** In single quotes. Where the second one is missing, the text ends. */
const SINGLE = /'([^']+)/y;

/** The quote before a value, with the backslashes of JSON that is printed into JSON. */
const QUOTE = /(\\*)"/y;

/** How far the scheme of a credential may be away from it. */
const LONGEST_SCHEME = 16;

/**
 * Finds the values under the names that are wanted: `Authorization: Bearer x`, `token=x`, `"password": "two words"`, as in headers,
 * queries and printed JSON. Of a quoted value it gives what stands in the text, escapes and all, and what that means.
 */
function findNamedTexts(text: string, isWanted: (name: string) => boolean): NamedValue<string>[] {
  const found: NamedValue<string>[] = [];
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match !== null; match = NAME.exec(text)) {
    const [, name = ""] = match;
    if (!isWanted(name)) continue;
    const { value, end } = readValue(text, NAME.lastIndex);
    NAME.lastIndex = end;
    const texts = [value, unescape(value)].map(withoutScheme);
    for (const part of new Set(texts)) if (part !== "") found.push({ name, value: part });
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
  const single = matchAt(SINGLE, text, start);
  if (single !== null) return { value: single[1] as string, end: start + single[0].length };
  const begin = start + lengthOfScheme(text.slice(start, start + LONGEST_SCHEME));
  const word = matchAt(WORD, text, begin)?.[0] ?? "";
  return { value: word, end: begin + word.length };
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
  for (let at = text.indexOf('"', begin); at !== -1; at = text.indexOf('"', at + 1)) {
    let run = 0;
    // The quote before the value ends it.
    while (text[at - run - 1] === "\\") run += 1;
    if (run % period === backslashes) return at - backslashes;
  }
  return text.length;
}

/** How often a value may have been printed into another one. */
const MOST_PRINTED = 3;

/** What a text in JSON means; JSON that is printed into JSON is escaped more than once. */
function unescape(text: string): string {
  let plain = text;
  for (let time = 0; time < MOST_PRINTED; time += 1) {
    const parsed = parseForeignJson(`"${plain}"`);
    if (typeof parsed !== "string") break;
    plain = parsed;
  }
  return plain;
}
