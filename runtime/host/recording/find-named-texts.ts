/** A value that stands under a name in a text. */
export interface NamedText {
  name: string;
  text: string;
}

/** A name, with `:` or `=` after it. It is only looked for where a word begins, and is bounded: hostile texts cost linear time. */
const NAME = /(?<![\w.-])([\w.-]{1,64})\\?["']?\s{0,4}[:=]\s{0,4}/g;

/** What follows a name: in quotes, which may be escaped ones, or a word. */
const VALUE =
  /\\?"([^"\\]{1,4096})|'([^'\\]{1,4096})|(?:(?:bearer|basic|token|digest)\s{1,4})?([^\s"'\\,;&<>()[\]{}]{1,4096})/iy;

const SCHEME = /^(?:bearer|basic|token|digest)\s{1,4}(?=\S)/i;

/** The credential of an `Authorization` header, without the word before it. */
export function withoutScheme(text: string): string {
  return text.replace(SCHEME, "");
}

/**
 * Finds the values under the names that are wanted: `Authorization: Bearer x`, `token=x`, `"password": "two words"`, as in headers,
 * queries and printed JSON.
 */
export function findNamedTexts(text: string, isWanted: (name: string) => boolean): NamedText[] {
  const found: NamedText[] = [];
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match !== null; match = NAME.exec(text)) {
    const [, name = ""] = match;
    if (!isWanted(name)) continue;
    VALUE.lastIndex = NAME.lastIndex;
    const [whole = "", double, single, bare] = VALUE.exec(text) ?? [];
    NAME.lastIndex += whole.length;
    const value = withoutScheme(double ?? single ?? bare ?? "");
    if (value !== "") found.push({ name, text: value });
  }
  return found;
}
