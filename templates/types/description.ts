import { type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import { printValue } from "../../schemas/text/print-value.ts";
import { toCommentText, toOneLine } from "../../schemas/text/visible-text.ts";

/** Limits that a type cannot express, and the words that say them. */
const LIMITS: readonly (readonly [string, string])[] = [
  ["format", "Format:"],
  ["pattern", "Pattern:"],
  ["minimum", "Minimum:"],
  ["exclusiveMinimum", "More than:"],
  ["maximum", "Maximum:"],
  ["exclusiveMaximum", "Less than:"],
  ["multipleOf", "Multiple of:"],
  ["minLength", "Shortest length:"],
  ["maxLength", "Longest length:"],
  ["minItems", "Fewest items:"],
  ["maxItems", "Most items:"],
  ["default", "Default:"],
];

/** Keywords that the validator checks and TypeScript has no word for. */
const UNSAID: readonly string[] = [
  "contains",
  "dependentRequired",
  "dependentSchemas",
  "if",
  "maxProperties",
  "minProperties",
  "not",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "uniqueItems",
];

/** What libraries write for "any integer" (`Number.MAX_SAFE_INTEGER`), which tells a reader nothing. */
const NO_LIMIT = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

/** The text for one schema: its description, then the limits and the default that its type leaves out. */
export function planDescription(node: JsonObject): string {
  const description = ownValue(node, "description");
  const limits = LIMITS.flatMap(([keyword, words]) => {
    const value = ownValue(node, keyword);
    if (value === undefined || NO_LIMIT.has(Number(value))) return [];
    const isText = keyword === "format" && typeof value === "string";
    return [`${words} ${isText ? toCommentText(value) : toCode(value)}.`];
  });
  const examples = ownValue(node, "examples");
  if (Array.isArray(examples)) limits.push(`For example ${examples.map(toCode).join(", ")}.`);
  const unsaid = UNSAID.filter((keyword) => Object.hasOwn(node, keyword));
  if (unsaid.length > 0)
    limits.push(`Checked but not part of the type: ${unsaid.map((keyword) => `\`${keyword}\``).join(", ")}.`);
  const text = typeof description === "string" ? toCommentText(description) : "";
  if (limits.length === 0 || text === "") return text + limits.join(" ");
  const sentence = /[.!?:;,…。！？]$/.test(text) ? text : `${text}.`;
  return `${sentence}${text.includes("\n") ? "\n\n" : " "}${limits.join(" ")}`;
}

function toCode(value: JsonValue): string {
  return toCommentText(`\`${toOneLine(printValue(value))}\``);
}
