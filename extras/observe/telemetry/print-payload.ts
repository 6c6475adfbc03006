import { makeRedactor } from "@codemode/runtime/connections/redact-secrets";
import { isCredentialName } from "../../../schemas/secrets/secret-names.ts";
import { type JsonObject, type JsonValue, toJsonObject } from "../../../schemas/json/json.ts";

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
  const redact = makeRedactor(secrets);
  // Masked before it is cut: the half of a secret would not be found.
  const cutText = (text: string): string => {
    const masked = redact(text);
    return masked.length > MAX_TEXT ? `${masked.slice(0, MAX_TEXT)}…` : masked;
  };
  const cut = (value: JsonValue, depth: number): JsonValue => {
    if (typeof value === "string") return cutText(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth === MAX_DEPTH) return "…";
    if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((item) => cut(item, depth + 1));
    return cutMembers(value, depth);
  };
  const cutMembers = (value: JsonObject, depth: number): JsonObject => {
    const names = Object.keys(value).slice(0, MAX_MEMBERS);
    return toJsonObject(
      names.map((name) => {
        const shown = isCredentialName(name) ? "[redacted]" : cut(value[name] ?? null, depth + 1);
        return [cutText(name), shown];
      }),
    );
  };
  return (value) => {
    const text = JSON.stringify(cut(value, 0));
    return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  };
}
