import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import type { Direction } from "../../schemas/json-schema/direction.ts";
import { toSourceLiteral } from "../../schemas/text/visible-text.ts";
import type { DeclarationSchema } from "../types/declaration-schema.ts";
import { saysMoreThan } from "./describe-briefly.ts";

/** How much of a type is shown. */
export interface TypeBounds {
  /** Objects and definitions within one another. */
  depth: number;
  /** Properties of one object and members of one union; what is required is always shown. */
  members: number;
}

export interface CompactTypeOptions extends TypeBounds {
  /**
   * What is left out of an input type narrows it and what is left out of an output type widens it, so that what compiles
   * against the short type compiles against the whole one.
   */
  direction: Direction;
  /** What a reader has read already: comments that only repeat it are left out. */
  context: string;
}

/** A type in one line. */
export interface CompactType {
  text: string;
  /** True where something was left out; the text shows `…` there. */
  isCut: boolean;
}

/** Schemas printed for one type: definitions that refer to one another may double at every step. */
const MAX_NODES = 400;
const LONGEST_LITERAL = 80;
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const CUT = "unknown /*…*/";

/**
 * Prints a declaration schema in as few tokens as say it.
 * @param definitions what the names in `tsType` stand for; each is printed where it is used
 */
export function printCompactType(
  schema: DeclarationSchema,
  definitions: ReadonlyMap<string, DeclarationSchema>,
  { direction, context, ...bounds }: CompactTypeOptions,
): CompactType {
  let nodes = 0;
  let isCut = false;
  const cut = (text: string): string => {
    isCut = true;
    return text;
  };

  const print = (node: DeclarationSchema, depth: number): string => {
    nodes += 1;
    if (nodes > MAX_NODES) return cut(CUT);
    const named = ownValue(node, "tsType");
    if (typeof named === "string") return printNamed(named, depth);
    const parts = (keyword: string): DeclarationSchema[] | undefined => {
      const value = ownValue(node, keyword);
      return Array.isArray(value) ? (value as DeclarationSchema[]) : undefined;
    };
    const values = ownValue(node, "enum");
    if (Array.isArray(values)) return printLiterals(values);
    const union = parts("anyOf");
    if (union !== undefined) return printUnion(union, depth);
    const intersection = parts("allOf");
    if (intersection !== undefined) return intersection.map((part) => printGrouped(part, depth)).join(" & ");
    const type = ownValue(node, "type");
    if (type === "object") return printObject(node, depth);
    return type === "array" ? printArray(node, depth) : String(type);
  };

  /** A type that can stand before `[]` and in an intersection. */
  const printGrouped = (node: DeclarationSchema, depth: number): string =>
    isCompound(node) ? `(${print(node, depth)})` : print(node, depth);

  const isCompound = (node: DeclarationSchema): boolean => {
    const definition = definitions.get(String(ownValue(node, "tsType")));
    if (definition !== undefined) return isCompound(definition);
    const values = ownValue(node, "enum");
    const items = ownValue(node, "items");
    if (Array.isArray(items)) return Number(ownValue(node, "minItems")) < items.length;
    return Object.hasOwn(node, "anyOf") || Object.hasOwn(node, "allOf") || (Array.isArray(values) && values.length > 1);
  };

  const printNamed = (name: string, depth: number): string => {
    const definition = definitions.get(name);
    // What was pruned is a reference to nothing; everything else that is no reference is a type as it stands.
    if (definition === undefined) return name.startsWith("#") || name.length > LONGEST_LITERAL ? cut(CUT) : name;
    return depth >= bounds.depth ? cut(CUT) : print(definition, depth + 1);
  };

  const printLiterals = (values: readonly JsonValue[]): string => {
    const texts = values.map((value) => toSourceLiteral(value));
    const shown = texts.filter((text) => text.length <= LONGEST_LITERAL).slice(0, bounds.members);
    if (shown.length === texts.length) return texts.join(" | ");
    if (shown.length === 0 || direction === "output") {
      return cut(`${[...new Set(values.map((value) => (value === null ? "null" : typeof value)))].join(" | ")} /*…*/`);
    }
    return cut(`${shown.join(" | ")} /*…*/`);
  };

  const printUnion = (members: readonly DeclarationSchema[], depth: number): string => {
    const isWhole = members.length <= bounds.members;
    if (!isWhole && direction === "output") return cut(CUT);
    const texts = [...new Set(members.slice(0, bounds.members).map((member) => print(member, depth)))].join(" | ");
    return isWhole ? texts : cut(`${texts} /*…*/`);
  };

  const printArray = (node: JsonObject, depth: number): string => {
    const items = ownValue(node, "items");
    if (!Array.isArray(items)) return `${printGrouped(items as DeclarationSchema, depth)}[]`;
    if (items.length > bounds.members) return cut(CUT);
    const least = Number(ownValue(node, "minItems"));
    const rest = ownValue(node, "additionalItems");
    const parts = items.map((item) => printGrouped(item as DeclarationSchema, depth));
    const open = isJsonObject(rest) ? [`...${printGrouped(rest, depth)}[]`] : rest === true ? ["...unknown[]"] : [];
    // One tuple for each length, as the whole declaration has it: `[A?, B?]` would accept less.
    const lengths = Array.from({ length: items.length - least }, (_, index) => parts.slice(0, least + index));
    return [...lengths, [...parts, ...open]].map((tuple) => `[${tuple.join(", ")}]`).join(" | ");
  };

  const printObject = (node: JsonObject, depth: number): string => {
    const properties = ownValue(node, "properties");
    const all = isJsonObject(properties) ? (Object.entries(properties) as [string, DeclarationSchema][]) : [];
    if (all.length === 0) return printMap(ownValue(node, "additionalProperties"), depth);
    if (depth >= bounds.depth) return cut(CUT);
    const required = new Set(ownValue(node, "required") as string[]);
    const needed = all.filter(([name]) => required.has(name)).length;
    const shown = all.slice(0, Math.max(needed, bounds.members));
    const texts = shown.map(([name, child]) => {
      const comment = commentOf(child);
      const before = comment !== "" && saysMoreThan(comment, `${context} ${name}`) ? `/** ${comment} */ ` : "";
      return `${before}${printKey(name)}${required.has(name) ? "" : "?"}: ${print(child, depth + 1)}`;
    });
    const others = all.slice(shown.length).map(([name]) => name);
    const rest = others.length === 0 ? "" : cut(` /*…${printNames(others)}*/`);
    return `{ ${texts.join("; ")}${rest} }`;
  };

  const printMap = (values: JsonValue | undefined, depth: number): string => {
    if (!isJsonObject(values) || ownValue(values, "tsType") === "never") return "{}";
    return `Record<string, ${print(values, depth)}>`;
  };

  const text = print(schema, 0);
  return { text, isCut };
}

function commentOf(schema: DeclarationSchema): string {
  const description = ownValue(schema, "description");
  const deprecated = ownValue(schema, "deprecated") === true ? "deprecated" : "";
  return [deprecated, typeof description === "string" ? description : ""].filter((part) => part !== "").join(": ");
}

/** Names that are left out, as far as they can stand in a comment. */
function printNames(names: readonly string[]): string {
  const shown = names.filter((name) => IDENTIFIER.test(name) && name.length <= LONGEST_LITERAL).slice(0, 12);
  return shown.length === 0 ? "" : ` ${shown.join(", ")}${shown.length < names.length ? ", …" : ""} `;
}

function printKey(name: string): string {
  return IDENTIFIER.test(name) ? name : toSourceLiteral(name);
}
