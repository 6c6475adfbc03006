import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** Tokens of a text, or of a value as JSON, in the vocabulary o200k_base. */
export function countTokens(value) {
  const options = { allowedSpecial: new Set(), disallowedSpecial: new Set() };
  return encode(typeof value === "string" ? value : JSON.stringify(value), options).length;
}

/** What a model gets of definitions of tools. */
export function countTools(tools) {
  return countTokens(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
}

/** Puts the same time and duration into each text, so that it has the same tokens in each run. */
export function blankTimes(text) {
  return text
    .replaceAll(/("(?:durationMs|timeMs)":)\d+/g, "$110")
    .replaceAll(/("timestamp":\s?)\d+/g, "$11750000000")
    .replaceAll(/20\d\d-\d\d-\d\dT\d\d-\d\d-\d\d-\d\d\dZ/g, "2026-01-01T00-00-00-000Z");
}
