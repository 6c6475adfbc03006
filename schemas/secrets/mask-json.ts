import { isJsonObject, type JsonValue, toJsonObject } from "../json/json.ts";

/** What is put in the place of the parts of a JSON value. */
export interface JsonMask {
  text(text: string): JsonValue;
  /** For the name of a member; it stays without. */
  name?(name: string): string;
  /** For a number; it stays without. */
  number?(number: number): JsonValue;
  /** For a whole member, by its name as it was; undefined leaves it to the others. */
  member?(name: string, value: JsonValue): JsonValue | undefined;
}

/** The same value with its parts masked, at every depth. */
export function maskJson<Value>(value: Value, mask: JsonMask): Value {
  const walk = (item: JsonValue): JsonValue => {
    if (typeof item === "string") return mask.text(item);
    if (typeof item === "number") return mask.number === undefined ? item : mask.number(item);
    if (Array.isArray(item)) return item.map(walk);
    if (!isJsonObject(item)) return item;
    const members = Object.entries(item).map(
      ([name, member]) => [mask.name?.(name) ?? name, mask.member?.(name, member) ?? walk(member)] as const,
    );
    return toJsonObject(members);
  };
  return walk(value as JsonValue) as Value;
}

/** The same value with each text, and the name of each member, masked. */
export function maskTexts<Value>(value: Value, mask: (text: string) => string): Value {
  return maskJson(value, { text: mask, name: mask });
}
