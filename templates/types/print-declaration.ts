import { ts } from "@ts-morph/common";
import { compile } from "json-schema-to-typescript";
import { escapeInvisible } from "../../schemas/json/escape-invisible.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../../schemas/json/json.ts";
import type { DeclarationSchema } from "./declaration-schema.ts";

/** The name that json-schema-to-typescript gives every declaration, until the plan's name takes its place. */
const PLACEHOLDER = "Declaration";

/** What json-schema-to-typescript printed: one declaration named PLACEHOLDER, not yet laid out. */
interface Compiled {
  text: string;
  /** The property that the text calls `property0`, `property1`, …. */
  propertyNames: readonly string[];
}

/** From here on a schema is seldom met twice. */
const LONGEST_REMEMBERED = 1000;
const MOST_REMEMBERED = 1000;
const remembered = new Map<string, Promise<Compiled>>();

/**
 * Prints a declaration schema as one exported `interface` or `type` with the names of the plan.
 * @throws where it cannot be said in TypeScript
 */
export async function printDeclaration(schema: DeclarationSchema, name: string): Promise<string> {
  return layOut(await compileOnce(schema), name);
}

/** Tools share many of their small schemas. */
function compileOnce(schema: DeclarationSchema): Promise<Compiled> {
  const key = JSON.stringify(schema);
  if (key.length > LONGEST_REMEMBERED) return compileDeclaration(schema);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const compiled = remembered.get(key) ?? compileDeclaration(schema);
  remembered.set(key, compiled);
  return compiled;
}

/**
 * Compiles a schema to one exported `interface` or `type`. Nothing is ever fetched or read, for such a schema
 * holds no reference; and no property name passes through, for names such as `hasOwnProperty` or `$ref` would be misread.
 */
async function compileDeclaration(schema: DeclarationSchema): Promise<Compiled> {
  const names = new Map<string, string>();
  const text = await compile(hideNames(schema, names), PLACEHOLDER, {
    $refOptions: { resolve: { external: false, file: false, http: false } },
    bannerComment: "",
    cwd: "/",
    format: false,
    maxItems: 50,
  });
  return { text, propertyNames: [...names.keys()] };
}

/** Puts `property0`, `property1`, … in the place of property names, and notes them in that order. */
function hideNames(schema: DeclarationSchema, names: Map<string, string>): DeclarationSchema {
  const hide = (name: string): string => {
    const hidden = names.get(name) ?? `property${names.size}`;
    names.set(name, hidden);
    return hidden;
  };
  const below = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(below);
    return isJsonObject(value) ? hideNames(value, names) : value;
  };
  const properties = ownValue(schema, "properties");
  const required = ownValue(schema, "required");
  const changed: JsonObject = {};
  for (const keyword of ["additionalItems", "additionalProperties", "allOf", "anyOf", "items"]) {
    const value = ownValue(schema, keyword);
    if (value !== undefined) changed[keyword] = below(value);
  }
  if (isJsonObject(properties)) {
    changed["properties"] = toJsonObject(Object.entries(properties).map(([name, value]) => [hide(name), below(value)]));
  }
  if (Array.isArray(required)) changed["required"] = required.map((name) => hide(String(name)));
  return { ...schema, ...changed };
}

/** Lays out a declaration that json-schema-to-typescript printed, and gives it and its properties the names of the plan. */
function layOut(declaration: Compiled, name: string): string {
  const file = ts.createSourceFile("declaration.ts", declaration.text, ts.ScriptTarget.ESNext, true);
  assertOneDeclaration(file);
  const { transformed } = ts.transform(file, [
    (context) => (root) =>
      ts.visitEachChild(
        root,
        (node) => rename(tidy(node, declaration.propertyNames, context), name, context.factory),
        context,
      ),
  ]);
  const printed = ts.createPrinter({ removeComments: false }).printFile(transformed[0] as ts.SourceFile);
  return escapeInvisible(wrapUnions(joinShortComments(halveIndent(printed))).trimEnd());
}

/** Where the text is anything but one `interface` or `type`, the schema got into the code. */
function assertOneDeclaration(file: ts.SourceFile): void {
  const [statement] = file.statements;
  const isDeclaration =
    statement !== undefined && (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement));
  const mistakes = (file as unknown as { parseDiagnostics: readonly unknown[] }).parseDiagnostics;
  const isAlone = file.statements.length === 1 && mistakes.length === 0;
  if (!isDeclaration || !isAlone || statement.name.text !== PLACEHOLDER) {
    throw new Error("json-schema-to-typescript printed something else than one declaration.");
  }
}

function rename(node: ts.Node, name: string, factory: ts.NodeFactory): ts.Node {
  const named = factory.createIdentifier(name);
  if (ts.isInterfaceDeclaration(node)) {
    return factory.updateInterfaceDeclaration(node, node.modifiers, named, undefined, undefined, node.members);
  }
  return ts.isTypeAliasDeclaration(node)
    ? factory.updateTypeAliasDeclaration(node, node.modifiers, named, undefined, node.type)
    : node;
}

/** Takes away parentheses that say nothing, joins unions of unions, keeps tuples on one line, shows property names. */
function tidy(node: ts.Node, propertyNames: readonly string[], context: ts.TransformationContext): ts.Node {
  const visited = ts.visitEachChild(node, (child) => tidy(child, propertyNames, context), context);
  if (ts.isTupleTypeNode(visited)) return ts.setEmitFlags(visited, ts.EmitFlags.SingleLine);
  if (ts.isUnionTypeNode(visited)) return context.factory.createUnionTypeNode(visited.types.flatMap(membersOf));
  if (ts.isParenthesizedTypeNode(visited)) return hasRoomForAnyType(node.parent) ? visited.type : visited;
  if (!ts.isPropertySignature(visited) || !ts.isIdentifier(visited.name)) return visited;
  const name = toPropertyName(propertyNames[Number(visited.name.text.replace("property", ""))] ?? "", context.factory);
  return context.factory.updatePropertySignature(visited, visited.modifiers, name, visited.questionToken, visited.type);
}

function toPropertyName(name: string, factory: ts.NodeFactory): ts.PropertyName {
  if (/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)) return factory.createIdentifier(name);
  return ts.setEmitFlags(factory.createStringLiteral(name), ts.EmitFlags.NoAsciiEscaping);
}

function membersOf(type: ts.TypeNode): readonly ts.TypeNode[] {
  const inner = ts.isParenthesizedTypeNode(type) ? type.type : type;
  return ts.isUnionTypeNode(inner) ? inner.types : [type];
}

function hasRoomForAnyType(parent: ts.Node): boolean {
  return ts.isPropertySignature(parent) || ts.isTypeAliasDeclaration(parent) || ts.isIndexSignatureDeclaration(parent);
}

/** TypeScript's printer indents by four spaces. */
function halveIndent(text: string): string {
  return text.replace(/^(?: {4})+/gm, (indent) => indent.slice(indent.length / 2));
}

/** The width that generated declarations keep to where they can. */
const WIDTH = 120;

/** A declaration of one line: what stands before the type, and the type. */
const ONE_LINE =
  /^(?<indent> *)(?<before>(?:export type [^=]+ =|(?:[\w$]+|"(?:[^"\\]|\\.)*"|\[k: string\])\??:)) (?<type>.+);$/;

/** Breaks unions of literals and names that are too long for a line, one member on each. */
export function wrapUnions(text: string): string {
  return text
    .split("\n")
    .map((line) => (line.length > WIDTH ? wrapUnion(line) : line))
    .join("\n");
}

function wrapUnion(line: string): string {
  const { indent, before, type } = ONE_LINE.exec(line)?.groups ?? {};
  if (indent === undefined || before === undefined || type === undefined) return line;
  const isList = type.startsWith("(") && type.endsWith(")[]");
  const members = splitUnion(isList ? type.slice(1, -3) : type);
  if (members.length < 2) return line;
  const union = members.map((member) => `\n${indent}  | ${member}`).join("");
  return isList ? `${indent}${before} (${union}\n${indent})[];` : `${indent}${before}${union};`;
}

/** The members of a union, split where neither a string nor a bracket is open. */
function splitUnion(type: string): string[] {
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of type.matchAll(/"(?:[^"\\]|\\.)*"?|[()[\]{}<>]| \| /g)) {
    if ("([{<".includes(token)) depth += 1;
    else if (")]}>".includes(token)) depth -= 1;
    else if (token === " | " && depth === 0) {
      members.push(type.slice(start, index));
      start = index + token.length;
    }
    if (depth < 0) return [];
  }
  return [...members, type.slice(start)];
}

/** Puts a doc comment of one short line on one line. */
export function joinShortComments(text: string): string {
  return text.replace(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, (comment, indent: string, line: string) =>
    indent.length + line.length + "/**  */".length <= WIDTH ? `${indent}/** ${line} */` : comment,
  );
}
