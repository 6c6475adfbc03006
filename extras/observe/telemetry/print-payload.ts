import { type JsonValue, toJsonObject } from "../../../schemas/json/json.ts";
import { maskJson } from "../../../schemas/secrets/mask-json.ts";
import { makeValueMask } from "../../../schemas/secrets/mask-values.ts";
import { isCredentialName } from "../../../schemas/secrets/secret-names.ts";

const MAX_LENGTH = 4096;
const MAX_TEXT = 1024;
const MAX_MEMBERS = 100;
const MAX_DEPTH = 8;

/** Prints what a tool was sent or answered. */
export type PrintPayload = (value: JsonValue) => string;

/**
 * Makes a function that prints what a tool was sent or answered, for a person to look at: secrets of the project are masked, and what
 * stands under the name of a credential; so much is cut that a large payload costs little. What is left need not be JSON.
 */
export function makePayloadPrinter(secrets: Readonly<Record<string, string>>): PrintPayload {
  const { text: mask } = makeValueMask(secrets);
  // Masked before it is cut: the half of a secret would not be found.
  const cutText = (text: string): string => cut(mask(text), MAX_TEXT);
  return (value) => {
    const shown = maskJson(cutMembers(value, 0), {
      text: cutText,
      name: cutText,
      member: (name) => (isCredentialName(name) ? "[redacted]" : undefined),
    });
    return cut(JSON.stringify(shown), MAX_LENGTH);
  };
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Its texts are left whole. */
function cutMembers(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return "…";
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((item) => cutMembers(item, depth + 1));
  const names = Object.keys(value).slice(0, MAX_MEMBERS);
  return toJsonObject(names.map((name) => [name, cutMembers(value[name] ?? null, depth + 1)]));
}
