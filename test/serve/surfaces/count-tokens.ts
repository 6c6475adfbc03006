import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** Tokens of a text, or of a value as JSON, by the tokenizer o200k_base. What looks like a special token is text. */
export function countTokens(value: unknown): number {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return encode(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() }).length;
}
