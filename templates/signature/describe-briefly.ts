import { type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import { toCommentText, toSourceLiteral } from "../../schemas/text/visible-text.ts";
import { shortenText } from "../../schemas/text/short-text.ts";

/** Longer patterns and values tell a reader less than they cost. */
const LONGEST_FACT = 40;

/** A description in at most about `length` characters, and what a call must keep to and the type does not say. */
export function describeBriefly(node: JsonObject, length: number): string {
  if (length === 0) return "";
  const description = ownValue(node, "description");
  const text = typeof description === "string" ? shortenText(description, length) : "";
  const facts = factsOf(node)
    .filter((fact) => fact.length <= LONGEST_FACT && !text.toLowerCase().includes(fact.toLowerCase()))
    .join(", ");
  const parts = [text, facts === "" || text === "" ? facts : `(${facts})`].filter((part) => part !== "");
  return toCommentText(parts.join(" ")).replace(/\s+/g, " ").trim();
}

/** True where a comment says something that the name does not. */
export function saysMoreThan(comment: string, name: string): boolean {
  const known = new Set([...FILLERS, ...toWords(name)]);
  return toWords(comment).some((word) => !known.has(word) && !known.has(word.replace(/s$/, "")));
}

/** Words that a description of a parameter is often made of. */
const FILLERS = "a an and for in of on or the this that to is be used optional required value".split(" ");

function toWords(text: string): string[] {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

function factsOf(node: JsonObject): string[] {
  const value = (keyword: string): JsonValue | undefined => ownValue(node, keyword);
  const text = (keyword: string): string[] => {
    const found = value(keyword);
    return typeof found === "string" ? [found] : [];
  };
  return [
    ...text("format"),
    ...text("pattern").map((pattern) => `/${pattern}/`),
    ...rangeOf(value("minimum"), value("maximum"), ""),
    ...(value("exclusiveMinimum") === undefined || value("exclusiveMinimum") === 0
      ? []
      : [`above ${String(value("exclusiveMinimum"))}`]),
    ...(value("exclusiveMaximum") !== undefined ? [`below ${String(value("exclusiveMaximum"))}`] : []),
    ...rangeOf(value("minLength"), value("maxLength"), " characters"),
    ...rangeOf(value("minItems"), value("maxItems"), " items"),
    ...defaultOf(value("default")),
  ];
}

/** What libraries write for "any integer" tells nothing. */
function rangeOf(least: JsonValue | undefined, most: JsonValue | undefined, unit: string): string[] {
  const from = typeof least === "number" && least !== Number.MIN_SAFE_INTEGER ? least : undefined;
  const to = typeof most === "number" && most !== Number.MAX_SAFE_INTEGER ? most : undefined;
  if (from !== undefined && to !== undefined) return [`${from} to ${to}${unit}`];
  if (to !== undefined) return [`max ${to}${unit}`];
  // That something is not empty, or an id not negative, goes without saying.
  return from === undefined || from === 0 || from === 1 ? [] : [`min ${from}${unit}`];
}

/** An empty default is what a reader expects anyway. */
function defaultOf(value: JsonValue | undefined): string[] {
  if (value === undefined || value === null || value === false || value === "") return [];
  const text = toSourceLiteral(value);
  return text === "[]" || text === "{}" ? [] : [`default ${text}`];
}
