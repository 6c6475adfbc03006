import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../../schemas/json/json.ts";
import type { OpenObjects } from "../../schemas/config/config-file.ts";
import type { CleanNode } from "../../schemas/json-schema/keywords.ts";
import { toCommentText, toOneLine, toSourceLiteral } from "../../schemas/text/visible-text.ts";
import type { CleanSchema } from "../../schemas/json-schema/clean-schema.ts";
import { claimName, toTypeName } from "../../schemas/text/type-name.ts";
import { printValue } from "../../schemas/text/print-value.ts";

/**
 * A schema in the words that json-schema-to-typescript translates one to one: every node says its type, and the only
 * `tsType` texts are `unknown`, `never` and names of the plan.
 */
export type DeclarationSchema = JsonObject;

/** The JSON types that TypeScript tells apart. */
const ALL_TYPES = ["object", "array", "string", "number", "boolean", "null"] as const;
type TypeName = (typeof ALL_TYPES)[number];

const OBJECT_KEYWORDS = ["properties", "required", "additionalProperties", "patternProperties"];
const ARRAY_KEYWORDS = ["items", "prefixItems"];

const UNKNOWN: DeclarationSchema = { tsType: "unknown" };
const NEVER: DeclarationSchema = { tsType: "never" };

/** The words of types that the schema alone does not decide. */
export interface TypeWording {
  openObjects: OpenObjects;
  /** The type name of a reference (`#` or `#/$defs/…`). */
  typeNameOf(reference: string): string;
  /** The comment of a schema, safe to stand in one; empty for none. */
  describe(node: JsonObject): string;
}

/**
 * Rewrites a clean schema so that its TypeScript accepts every value that the validator accepts.
 * @param allowed the JSON types that the place of the schema leaves open
 */
export function toDeclarationSchema(
  node: CleanNode,
  wording: TypeWording,
  allowed: readonly TypeName[] = ALL_TYPES,
): DeclarationSchema {
  if (typeof node === "boolean") return node ? UNKNOWN : NEVER;
  const described = describe(node, wording);
  const types = typesOf(node, allowed);
  if (types.length === 0) return { ...NEVER, ...described };
  const below = (child: CleanNode): DeclarationSchema => toDeclarationSchema(child, wording);
  const beside = (child: CleanNode): DeclarationSchema => toDeclarationSchema(child, wording, types);

  const reference = ownValue(node, "$ref");
  const others = [
    ...(typeof reference === "string" ? [{ tsType: wording.typeNameOf(reference) }] : []),
    ...nodesOf(node, "allOf").map(beside),
    ...["anyOf", "oneOf"]
      .filter((keyword) => Object.hasOwn(node, keyword))
      .map((keyword) => toUnion(nodesOf(node, keyword).map(beside))),
  ].filter((part) => ownValue(part, "tsType") !== "unknown");
  const own =
    saysMore(node, types) || (others.length === 0 && types.length < allowed.length)
      ? [toOwnType(node, types, below, wording.openObjects)]
      : [];
  const parts = [...own, ...others];
  const [only] = parts;
  if (only === undefined || ownValue(only, "tsType") === "unknown") return { ...UNKNOWN, ...described };
  return parts.length === 1
    ? { ...withoutComments(only), ...described }
    : { allOf: parts.map(withoutComments), ...described };
}

/** What the node itself says, apart from its references and the schemas beside it. */
function toOwnType(
  node: JsonObject,
  types: readonly TypeName[],
  below: (child: CleanNode) => DeclarationSchema,
  openObjects: OpenObjects,
): DeclarationSchema {
  const values = literalsOf(node, types);
  if (values !== undefined) return toLiterals(values);
  return toUnion(
    types.map((type) => {
      if (type === "object") return toObjectType(node, below, openObjects);
      return type === "array" ? toArrayType(node, below) : { type };
    }),
  );
}

/** JSON text of an object or array is a literal type as it stands. */
function toLiterals(values: readonly JsonValue[]): DeclarationSchema {
  const plain = values.filter((value) => !isComposite(value));
  const others = values.filter(isComposite).map((value) => ({ tsType: toSourceLiteral(value) }));
  return toUnion(plain.length === 0 ? others : [{ enum: plain }, ...others]);
}

function toObjectType(
  node: JsonObject,
  below: (child: CleanNode) => DeclarationSchema,
  openObjects: OpenObjects,
): DeclarationSchema {
  const required = new Set(namesOf(node, "required"));
  const properties = membersOf(node, "properties");
  const declared = Object.entries(properties)
    .toSorted(([left], [right]) => Number(required.has(right)) - Number(required.has(left)))
    .map(([name, child]) => [name, below(child)] as const);
  const undeclared = [...required].filter((name) => !Object.hasOwn(properties, name));
  // An object without any property is one of free form.
  const isNamed = declared.length + undeclared.length > 0;
  const patterns = Object.values(membersOf(node, "patternProperties"));
  const others = [
    ...patterns,
    ownValue(node, "additionalProperties") ?? (openObjects === "index" || !isNamed || patterns.length > 0),
  ];
  const index = toUnion(others.filter((child) => child !== false).map((child) => below(child as CleanNode)));
  const isClosed = ownValue(index, "tsType") === "never";
  if (isClosed && declared.length + undeclared.length === 0) return { type: "object", additionalProperties: NEVER };
  return {
    type: "object",
    properties: toJsonObject([
      ...declared,
      ...undeclared.map((name) => [name, isClosed ? UNKNOWN : withoutComments(index)] as const),
    ]),
    required: [...required],
    additionalProperties: isClosed ? false : index,
  };
}

function toArrayType(node: JsonObject, below: (child: CleanNode) => DeclarationSchema): DeclarationSchema {
  const rest = ownValue(node, "items") ?? true;
  const first = nodesOf(node, "prefixItems");
  if (first.length === 0) {
    return rest === false ? { type: "array", items: NEVER } : { type: "array", items: below(rest as CleanNode) };
  }
  const least = ownValue(node, "minItems");
  return {
    type: "array",
    items: first.map(below),
    minItems: Math.min(typeof least === "number" ? least : 0, first.length),
    additionalItems: typeof rest === "boolean" ? rest : withoutNamedArrays(below(rest as CleanNode)),
    ...withoutUndefined({ maxItems: rest === false ? first.length : undefined }),
  };
}

/** TypeScript reads an array in the rest of a tuple before it knows the names of the module: one that holds such a name holds anything. */
function withoutNamedArrays(schema: DeclarationSchema): DeclarationSchema {
  if (ownValue(schema, "type") === "array") return holdsName(schema) ? { type: "array", items: UNKNOWN } : schema;
  const changed: JsonObject = {};
  for (const keyword of ["anyOf", "allOf"]) {
    if (Object.hasOwn(schema, keyword)) changed[keyword] = schemasOf(schema, keyword).map(withoutNamedArrays);
  }
  return { ...schema, ...changed };
}

/** Whether a name of the plan stands here, or in items; properties are read later. */
function holdsName(schema: DeclarationSchema): boolean {
  const text = ownValue(schema, "tsType");
  if (typeof text === "string") return /^[\p{ID_Start}$_]/u.test(text) && text !== "unknown" && text !== "never";
  return ["items", "additionalItems", "anyOf", "allOf"].some((keyword) => schemasOf(schema, keyword).some(holdsName));
}

function schemasOf(schema: DeclarationSchema, keyword: string): DeclarationSchema[] {
  return [ownValue(schema, keyword)].flat().filter(isJsonObject);
}

/** A union without repetition; `unknown` takes all, `never` adds nothing. */
function toUnion(members: readonly DeclarationSchema[]): DeclarationSchema {
  const texts = new Map(members.map((member) => [JSON.stringify(member), member]));
  const distinct = [...texts.values()].filter((member) => ownValue(member, "tsType") !== "never");
  if (distinct.some((member) => ownValue(member, "tsType") === "unknown")) return UNKNOWN;
  const [only] = distinct;
  if (only === undefined) return NEVER;
  return distinct.length === 1 ? only : { anyOf: distinct };
}

function typesOf(node: JsonObject, allowed: readonly TypeName[]): readonly TypeName[] {
  const type = ownValue(node, "type");
  if (type === undefined) return allowed;
  const named = new Set([type].flat().map((name) => (name === "integer" ? "number" : name)));
  return allowed.filter((name) => named.has(name));
}

/** True where the node says more of its types than that any JSON value of them goes. */
function saysMore(node: JsonObject, types: readonly TypeName[]): boolean {
  const says = (keywords: readonly string[]): boolean => keywords.some((keyword) => Object.hasOwn(node, keyword));
  if (says(["enum", "const"])) return true;
  return (types.includes("object") && says(OBJECT_KEYWORDS)) || (types.includes("array") && says(ARRAY_KEYWORDS));
}

/** The values that `enum` and `const` leave, or undefined where there is neither. */
function literalsOf(node: JsonObject, types: readonly TypeName[]): JsonValue[] | undefined {
  const constant = ownValue(node, "const");
  const values = ownValue(node, "enum");
  const listed = Array.isArray(values) ? values : undefined;
  const literals = constant === undefined ? listed : [constant];
  return literals?.filter((value) => types.includes(typeOfValue(value)));
}

function isComposite(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

function typeOfValue(value: JsonValue): TypeName {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as TypeName);
}

function describe(node: JsonObject, wording: TypeWording): DeclarationSchema {
  const description = wording.describe(node);
  const deprecated = ownValue(node, "deprecated") === true ? { deprecated: true } : {};
  return description === "" ? deprecated : { description, ...deprecated };
}

/** A comment in the middle of a type reads badly: the comment of the whole says it. */
function withoutComments(schema: DeclarationSchema): DeclarationSchema {
  const { description: _description, deprecated: _deprecated, ...rest } = schema;
  return rest;
}

function nodesOf(node: JsonObject, keyword: string): CleanNode[] {
  const value = ownValue(node, keyword);
  return Array.isArray(value) ? (value as CleanNode[]) : [];
}

function membersOf(node: JsonObject, keyword: string): { [name: string]: CleanNode } {
  const value = ownValue(node, keyword);
  return isJsonObject(value) ? (value as { [name: string]: CleanNode }) : {};
}

function namesOf(node: JsonObject, keyword: string): string[] {
  const value = ownValue(node, keyword);
  return Array.isArray(value) ? [...new Set(value as string[])] : [];
}

/** One `interface` or `type` of a generated module. */
export interface PlannedType {
  name: string;
  /** `Reference0`, `Reference1`, … in it stand for other types, so that tools with the same words have the same schema. */
  schema: DeclarationSchema;
  /** The names of those types. */
  references: readonly string[];
}

/** A type that has no name yet; its references are the schema's own (`#` or `#/$defs/…`). */
export interface UnnamedType {
  reference: string;
  schema: DeclarationSchema;
  references: readonly string[];
}

/** The types of one schema: the root first, then one for everything that references point to. */
export function declareTypes(clean: CleanSchema, openObjects: OpenObjects): UnnamedType[] {
  const definitions = [...clean.definitions].map(([key, node]) => [`#/$defs/${key}`, node] as const);
  return [["#", clean.root] as const, ...definitions].map(([reference, node]) => {
    const references: string[] = [];
    const typeNameOf = (target: string): string => {
      if (!references.includes(target)) references.push(target);
      return `Reference${references.indexOf(target)}`;
    };
    const schema = toDeclarationSchema(node, { openObjects, typeNameOf, describe: planDescription });
    return { reference, schema, references };
  });
}

/**
 * Names the types of one schema.
 * @param taken names that the server has already; the new ones are added
 */
export function nameTypes(types: readonly UnnamedType[], rootName: string, taken: Set<string>): PlannedType[] {
  const nameOf = (reference: string): string =>
    reference === "#" ? rootName : claimName(rootName + toTypeName(reference.slice("#/$defs/".length)), taken);
  const names = new Map(types.map(({ reference }) => [reference, nameOf(reference)]));
  return types.map(({ reference, schema, references }) => ({
    name: names.get(reference) ?? "unknown",
    schema,
    references: references.map((target) => names.get(target) ?? "unknown"),
  }));
}

/** Where a type says the name of another: its place in `references`. */
export function referenceIn(text: string): number | undefined {
  const [, index] = /^Reference(\d+)$/.exec(text) ?? [];
  return index === undefined ? undefined : Number(index);
}

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
