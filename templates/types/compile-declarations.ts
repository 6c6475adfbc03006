import { compile } from "json-schema-to-typescript";
import { ts } from "ts-morph";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../../schemas/json/json.ts";
import type { DeclarationSchema, PlannedType } from "./declaration-schema.ts";

/** A declaration as json-schema-to-typescript printed it, parsed. */
export interface CompiledDeclaration {
  node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration;
  /** The whole text that the node is in. */
  file: ts.SourceFile;
  /** What the text calls `property0`, `property1`, …. */
  propertyNames: readonly string[];
}

/** The name of the whole, which no type of a plan has. */
const ROOT = "Declarations";

/**
 * Compiles types in one call. Where that fails, the halves are compiled, down to the type that cannot be.
 * @returns the declaration of each type; a type that cannot be said in TypeScript has none
 */
export async function compileDeclarations(
  types: readonly PlannedType[],
): Promise<Map<PlannedType, CompiledDeclaration>> {
  try {
    return new Map(await compileTogether(types));
  } catch {
    if (types.length < 2) return new Map();
    const middle = Math.ceil(types.length / 2);
    const first = await compileDeclarations(types.slice(0, middle));
    return new Map([...first, ...(await compileDeclarations(types.slice(middle)))]);
  }
}

/**
 * Nothing is ever fetched or read, for such schemas hold no reference; and no property name passes through, for names
 * such as `hasOwnProperty` or `$ref` would be misread.
 */
async function compileTogether(types: readonly PlannedType[]): Promise<[PlannedType, CompiledDeclaration][]> {
  const names = new Map<string, string>();
  const keys = new Map(types.map((type, index) => [toKey(type.name, index), type]));
  const definitions = toJsonObject([...keys].map(([key, { schema }]) => [key, hideNames(schema, names)]));
  // What is a property too is in use: of others the comment would say that they are not.
  const whole: JsonObject = { type: "object", properties: definitions, definitions };
  const text = await compile(whole, ROOT, {
    $refOptions: { resolve: { external: false, file: false, http: false } },
    bannerComment: "",
    cwd: "/",
    format: false,
    maxItems: 50,
  });
  const file = ts.createSourceFile("declarations.ts", text, ts.ScriptTarget.ESNext);
  const declared = findDeclarations(file);
  declared.delete(ROOT);
  if (declared.size !== keys.size)
    throw new Error("json-schema-to-typescript printed other declarations than asked for.");
  return [...declared].map(([key, node]) => {
    const type = keys.get(key);
    if (type === undefined) throw new Error(`json-schema-to-typescript printed a declaration of its own: ${key}`);
    return [type, { node, file, propertyNames: [...names.keys()] }];
  });
}

/** The name of the plan, or, where json-schema-to-typescript would change it, one that takes its place until it is laid out. */
function toKey(name: string, index: number): string {
  const isKept = /^[A-Z][A-Za-z0-9]*$/.test(name) && !/[0-9][a-z]/.test(name);
  return isKept ? name : `${ROOT}${index}`;
}

/** Where the text is anything but declarations, each of another name, a schema got into the code. */
function findDeclarations(file: ts.SourceFile): Map<string, CompiledDeclaration["node"]> {
  const mistakes = (file as unknown as { parseDiagnostics: readonly unknown[] }).parseDiagnostics;
  const declared = new Map(
    file.statements.filter(isDeclaration).map((statement) => [statement.name.text, statement] as const),
  );
  if (mistakes.length > 0 || declared.size !== file.statements.length) {
    throw new Error("json-schema-to-typescript printed something else than declarations.");
  }
  return declared;
}

function isDeclaration(node: ts.Statement): node is CompiledDeclaration["node"] {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
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
