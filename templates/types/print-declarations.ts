import { compile } from "json-schema-to-typescript";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../../schemas/json/json.ts";
import type { DeclarationSchema } from "./declaration-schema.ts";

/** The name that json-schema-to-typescript gives every declaration, until the plan's name takes its place. */
export const PLACEHOLDER = "Declaration";

/** What json-schema-to-typescript printed: one declaration named PLACEHOLDER, not yet laid out. */
export interface PrintedDeclaration {
  text: string;
  /** The property that the text calls `property0`, `property1`, …. */
  propertyNames: readonly string[];
}

/** From here on a schema is seldom met twice. */
const LONGEST_REMEMBERED = 1000;
const MOST_REMEMBERED = 1000;
const remembered = new Map<string, Promise<PrintedDeclaration>>();

/** Prints a declaration schema, or remembers how: tools share many of their small ones. */
export async function printDeclaration(schema: DeclarationSchema): Promise<PrintedDeclaration> {
  const key = JSON.stringify(schema);
  if (key.length > LONGEST_REMEMBERED) return await compileDeclaration(schema);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const printed = remembered.get(key) ?? compileDeclaration(schema);
  remembered.set(key, printed);
  return await printed;
}

/**
 * Prints a declaration schema as one exported `interface` or `type`. Nothing is ever fetched or read, for such a schema
 * holds no reference; and no property name passes through, for names such as `hasOwnProperty` or `$ref` would be misread.
 */
async function compileDeclaration(schema: DeclarationSchema): Promise<PrintedDeclaration> {
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
