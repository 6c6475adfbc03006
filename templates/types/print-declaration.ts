import { ts } from "ts-morph";
import { escapeInvisible } from "../../schemas/json/escape-invisible.ts";
import { groupBy } from "../group-by.ts";
import { type CompiledDeclaration, compileDeclarations } from "./compile-declarations.ts";
import { type DeclarationSchema, type PlannedType, referenceIn } from "./declaration-schema.ts";

/** The width that generated declarations keep to where they can. */
const WIDTH = 120;

/** Tags that json-schema-to-typescript adds to comments; the plan's own words say the same. */
const ADDED_TAGS: ReadonlySet<string> = new Set(["minItems", "maxItems"]);

/** Larger batches are no faster, and what one with a mistake has to repeat grows. */
const BATCH = 50;

/**
 * Prints types as one exported `interface` or `type` each, with the names of the plan. One that cannot be said in TypeScript
 * becomes `unknown` alone; the validator still checks the input.
 */
export async function printDeclarations(types: readonly PlannedType[]): Promise<Map<PlannedType, string>> {
  const printed = new Map<PlannedType, string>();
  const groups = groupBySchema(types);
  for (let start = 0; start < groups.length; start += BATCH) {
    const batch = groups.slice(start, start + BATCH);
    // What is laid out is forgotten: the syntax trees of thousands of types would fill the memory.
    const compiled = await compileDeclarations(batch.map(([first]) => first));
    for (const group of batch)
      for (const type of group) printed.set(type, printDeclaration(type, compiled.get(group[0])));
  }
  return printed;
}

/**
 * Types that differ in names alone, their own or the names of other types: tools share many of their schemas, and of an API with many operations three
 * quarters.
 */
function groupBySchema(types: readonly PlannedType[]): [PlannedType, ...PlannedType[]][] {
  const texts = new Map<DeclarationSchema, string>();
  const textOf = ({ schema }: PlannedType): string => {
    const text = texts.get(schema) ?? JSON.stringify(schema);
    texts.set(schema, text);
    return text;
  };
  return [...groupBy(types, textOf).values()];
}

function printDeclaration({ name, references }: PlannedType, compiled: CompiledDeclaration | undefined): string {
  if (compiled === undefined) {
    return `/** Warning: the schema could not be said in TypeScript. */\nexport type ${name} = unknown;`;
  }
  const { node, ...text } = compiled;
  const source = { ...text, references };
  const declared = ts.isInterfaceDeclaration(node)
    ? `export interface ${name} {\n${layOutMembers(node.members, "  ", source)}}`
    : layOutTyped(`export type ${name} =`, node.type, "", source);
  return escapeInvisible(layOutComment(node, "", source) + declared);
}

/** Where a node has its text and its names from. */
type Source = Omit<CompiledDeclaration, "node"> & Pick<PlannedType, "references">;

/** @param indent of the line on which the type begins */
function layOutType(type: ts.TypeNode, indent: string, source: Source): string {
  const layOut = (child: ts.TypeNode): string => layOutType(child, indent, source);
  if (ts.isUnionTypeNode(type)) return membersOf(type).map(layOut).join(" | ");
  if (ts.isIntersectionTypeNode(type)) return type.types.map(layOut).join(" & ");
  if (ts.isParenthesizedTypeNode(type)) return `(${layOut(type.type)})`;
  if (ts.isArrayTypeNode(type)) return `${layOut(type.elementType)}[]`;
  if (ts.isRestTypeNode(type)) return `...${layOut(type.type)}`;
  if (ts.isTupleTypeNode(type)) return `[${type.elements.map(layOut).join(", ")}]`;
  if (!ts.isTypeLiteralNode(type)) return toTypeText(type.getText(source.file), source);
  return type.members.length === 0 ? "{}" : `{\n${layOutMembers(type.members, `${indent}  `, source)}${indent}}`;
}

/** The text of a type without parts. */
function toTypeText(text: string, { references }: Source): string {
  const index = referenceIn(text);
  return (index === undefined ? undefined : references[index]) ?? text;
}

/** The members of a union, and of unions in it. */
function membersOf(type: ts.TypeNode): readonly ts.TypeNode[] {
  const inner = ts.isParenthesizedTypeNode(type) ? type.type : type;
  return ts.isUnionTypeNode(inner) ? inner.types.flatMap(membersOf) : [type];
}

function layOutMembers(members: ts.NodeArray<ts.TypeElement>, indent: string, source: Source): string {
  return members.map((member) => `${layOutMember(member, indent, source)}\n`).join("");
}

function layOutMember(member: ts.TypeElement, indent: string, source: Source): string {
  const comment = layOutComment(member, indent, source);
  if (ts.isPropertySignature(member) && member.type !== undefined) {
    const before = toPropertyName(member.name, source) + (member.questionToken === undefined ? ":" : "?:");
    return comment + layOutTyped(indent + before, member.type, indent, source);
  }
  if (ts.isIndexSignatureDeclaration(member)) {
    return comment + layOutTyped(`${indent}[k: string]:`, member.type, indent, source);
  }
  throw new Error("json-schema-to-typescript printed a member of another kind.");
}

function toPropertyName(name: ts.PropertyName, { file, propertyNames }: Source): string {
  // A name in quotes is a literal's own.
  if (!ts.isIdentifier(name)) return name.getText(file);
  const property = propertyNames[Number(name.text.slice("property".length))] ?? "";
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(property) ? property : JSON.stringify(property);
}

/**
 * A type behind what it belongs to, where parentheses around all of it say nothing. A union that is too long for a line, also one that an
 * array is of, has each member on a line.
 */
function layOutTyped(before: string, node: ts.TypeNode, indent: string, source: Source): string {
  const type = ts.isParenthesizedTypeNode(node) ? node.type : node;
  const line = `${before} ${layOutType(type, indent, source)};`;
  const isList = ts.isArrayTypeNode(type) && ts.isParenthesizedTypeNode(type.elementType);
  const members = membersOf(isList ? type.elementType : type);
  if (line.length <= WIDTH || line.includes("\n") || members.length < 2) return line;
  const union = members.map((member) => `\n${indent}  | ${layOutType(member, indent, source)}`).join("");
  return isList ? `${before} (${union}\n${indent})[];` : `${before}${union};`;
}

/** The doc comment of a node, with its line break; on one line where it is short. */
function layOutComment(node: ts.Node, indent: string, { file }: Source): string {
  const [comment] = (node as ts.Node & { jsDoc?: readonly ts.JSDoc[] }).jsDoc ?? [];
  if (comment === undefined) return "";
  const added = comment.tags?.find(({ tagName }) => ADDED_TAGS.has(tagName.text));
  const text = file.text.slice(comment.pos + "/**".length, added?.pos ?? comment.end - "*/".length);
  const lines = text.split("\n").map((line) => line.trim().replace(/^\* ?/, "").trimEnd());
  const words = lines
    .slice(lines.findIndex((line) => line !== ""))
    .join("\n")
    .trimEnd();
  if (words === "") return "";
  if (!words.includes("\n") && indent.length + words.length + "/**  */".length <= WIDTH)
    return `${indent}/** ${words} */\n`;
  const stars = words.split("\n").map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`);
  return `${indent}/**\n${stars.join("")}${indent} */\n`;
}
