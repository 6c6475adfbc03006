import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import type { Direction } from "../../schemas/json-schema/keywords.ts";
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

/** Where a type is printed. */
export interface TypePlace {
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
  { direction, context }: TypePlace,
  bounds: TypeBounds,
): CompactType {
  const printer: Printer = { definitions, direction, context, bounds, nodes: 0, isCut: false };
  const text = print(printer, schema, 0);
  return { text, isCut: printer.isCut };
}

/** One type as it is printed. */
interface Printer extends TypePlace {
  definitions: ReadonlyMap<string, DeclarationSchema>;
  bounds: TypeBounds;
  /** Schemas printed so far. */
  nodes: number;
  /** Whether something was left out. */
  isCut: boolean;
}

function cut(printer: Printer, text: string): string {
  printer.isCut = true;
  return text;
}

function print(printer: Printer, node: DeclarationSchema, depth: number): string {
  printer.nodes += 1;
  if (printer.nodes > MAX_NODES) return cut(printer, CUT);
  const named = ownValue(node, "tsType");
  if (typeof named === "string") return printNamed(printer, named, depth);
  const parts = (keyword: string): DeclarationSchema[] | undefined => {
    const value = ownValue(node, keyword);
    return Array.isArray(value) ? (value as DeclarationSchema[]) : undefined;
  };
  const values = ownValue(node, "enum");
  if (Array.isArray(values)) return printLiterals(printer, values);
  const union = parts("anyOf");
  if (union !== undefined) return printUnion(printer, union, depth);
  const intersection = parts("allOf");
  if (intersection !== undefined) return intersection.map((part) => printGrouped(printer, part, depth)).join(" & ");
  const type = ownValue(node, "type");
  if (type === "object") return printObject(printer, node, depth);
  return type === "array" ? printArray(printer, node, depth) : String(type);
}

/** A type that can stand before `[]` and in an intersection. */
function printGrouped(printer: Printer, node: DeclarationSchema, depth: number): string {
  return isCompound(printer, node) ? `(${print(printer, node, depth)})` : print(printer, node, depth);
}

function isCompound(printer: Printer, node: DeclarationSchema): boolean {
  const definition = printer.definitions.get(String(ownValue(node, "tsType")));
  if (definition !== undefined) return isCompound(printer, definition);
  const values = ownValue(node, "enum");
  const items = ownValue(node, "items");
  if (Array.isArray(items)) return Number(ownValue(node, "minItems")) < items.length;
  return Object.hasOwn(node, "anyOf") || Object.hasOwn(node, "allOf") || (Array.isArray(values) && values.length > 1);
}

function printNamed(printer: Printer, name: string, depth: number): string {
  const definition = printer.definitions.get(name);
  // What was pruned is a reference to nothing; everything else that is no reference is a type as it stands.
  if (definition === undefined) return name.startsWith("#") || name.length > LONGEST_LITERAL ? cut(printer, CUT) : name;
  return depth >= printer.bounds.depth ? cut(printer, CUT) : print(printer, definition, depth + 1);
}

function printLiterals(printer: Printer, values: readonly JsonValue[]): string {
  const texts = values.map((value) => toSourceLiteral(value));
  const shown = texts.filter((text) => text.length <= LONGEST_LITERAL).slice(0, printer.bounds.members);
  if (shown.length === texts.length) return texts.join(" | ");
  if (shown.length === 0 || printer.direction === "output") {
    return cut(
      printer,
      `${[...new Set(values.map((value) => (value === null ? "null" : typeof value)))].join(" | ")} /*…*/`,
    );
  }
  return cut(printer, `${shown.join(" | ")} /*…*/`);
}

function printUnion(printer: Printer, members: readonly DeclarationSchema[], depth: number): string {
  const isWhole = members.length <= printer.bounds.members;
  if (!isWhole && printer.direction === "output") return cut(printer, CUT);
  const texts = [
    ...new Set(members.slice(0, printer.bounds.members).map((member) => print(printer, member, depth))),
  ].join(" | ");
  return isWhole ? texts : cut(printer, `${texts} /*…*/`);
}

function printArray(printer: Printer, node: JsonObject, depth: number): string {
  const items = ownValue(node, "items");
  if (!Array.isArray(items)) return `${printGrouped(printer, items as DeclarationSchema, depth)}[]`;
  if (items.length > printer.bounds.members) return cut(printer, CUT);
  const least = Number(ownValue(node, "minItems"));
  const rest = ownValue(node, "additionalItems");
  const parts = items.map((item) => printGrouped(printer, item as DeclarationSchema, depth));
  const open = isJsonObject(rest)
    ? [`...${printGrouped(printer, rest, depth)}[]`]
    : rest === true
      ? ["...unknown[]"]
      : [];
  // One tuple for each length, as the whole declaration has it: `[A?, B?]` would accept less.
  const lengths = Array.from({ length: items.length - least }, (_, index) => parts.slice(0, least + index));
  return [...lengths, [...parts, ...open]].map((tuple) => `[${tuple.join(", ")}]`).join(" | ");
}

function printObject(printer: Printer, node: JsonObject, depth: number): string {
  const properties = ownValue(node, "properties");
  const all = isJsonObject(properties) ? (Object.entries(properties) as [string, DeclarationSchema][]) : [];
  if (all.length === 0) return printMap(printer, ownValue(node, "additionalProperties"), depth);
  if (depth >= printer.bounds.depth) return cut(printer, CUT);
  const required = new Set(ownValue(node, "required") as string[]);
  const needed = all.filter(([name]) => required.has(name)).length;
  const shown = all.slice(0, Math.max(needed, printer.bounds.members));
  const texts = shown.map(([name, child]) => {
    const comment = commentOf(child);
    const before = comment !== "" && saysMoreThan(comment, `${printer.context} ${name}`) ? `/** ${comment} */ ` : "";
    return `${before}${printKey(name)}${required.has(name) ? "" : "?"}: ${print(printer, child, depth + 1)}`;
  });
  const others = all.slice(shown.length).map(([name]) => name);
  const rest = others.length === 0 ? "" : cut(printer, ` /*…${printNames(others)}*/`);
  return `{ ${texts.join("; ")}${rest} }`;
}

function printMap(printer: Printer, values: JsonValue | undefined, depth: number): string {
  if (!isJsonObject(values) || ownValue(values, "tsType") === "never") return "{}";
  return `Record<string, ${print(printer, values, depth)}>`;
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
