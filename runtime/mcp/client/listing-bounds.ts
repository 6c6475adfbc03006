import type { JsonValue } from "../../../schemas/json/json.ts";

/** Code that walks definitions calls itself once per level. */
const MAX_LEVELS = 256;
/** Objects, arrays and scalars of one list. */
const MAX_VALUES = 2_000_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** Counts what a list holds, over all of its pages: the function says what is too much, as the end of a sentence about the value. */
export function makeListingBounds(): (value: JsonValue) => string | undefined {
  let values = 0;
  let characters = 0;
  return (value) => {
    let level: JsonValue[] = [value];
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > MAX_LEVELS) return `is nested more than ${MAX_LEVELS} levels deep`;
      const next: JsonValue[] = [];
      for (const item of level) {
        values += 1;
        if (typeof item === "string") characters += item.length;
        else if (Array.isArray(item)) for (const member of item) next.push(member);
        else if (typeof item === "object" && item !== null) {
          for (const [key, member] of Object.entries(item)) {
            characters += key.length;
            next.push(member);
          }
        }
        if (values + next.length > MAX_VALUES) return `has, with those before it, more than ${MAX_VALUES} values`;
        if (characters > MAX_CHARACTERS) return `has, with those before it, more than ${MAX_CHARACTERS} characters`;
      }
      level = next;
    }
    return undefined;
  };
}
