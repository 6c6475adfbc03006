import type { JsonValue } from "../json/json.ts";

/** What a query or a program needs; of longer texts the beginning is looked at. In UTF-16 code units. */
const MOST_CHARACTERS = 20_000;

/** The words in the texts of a tool's input. Fields that they name, such as the columns of a query, are the caller's and not the tool's. */
export function wordsOfInput(input: JsonValue): ReadonlySet<string> {
  const words = new Set<string>();
  let left = MOST_CHARACTERS;
  const collect = (value: JsonValue): void => {
    if (left <= 0 || value === null) return;
    if (typeof value === "object") {
      for (const member of Array.isArray(value) ? value : Object.values(value)) collect(member);
    } else if (typeof value === "string") {
      for (const [word] of value.slice(0, left).matchAll(/[$\w-]+/g)) words.add(word);
      left -= value.length;
    }
  };
  collect(input);
  return words;
}
