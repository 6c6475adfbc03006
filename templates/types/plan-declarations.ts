import { type JsonValue, ownValue } from "../../schemas/json.ts";
import { type CleanSchema } from "../../schemas/json-schema/clean-schema.ts";
import { claimName, toTypeName } from "../text/type-name.ts";
import { type DeclarationSchema, toDeclarationSchema, type TypeNameOf } from "./declaration-schema.ts";

/** One `interface` or `type` of a generated module. */
export interface PlannedType {
  name: string;
  schema: DeclarationSchema;
}

/**
 * The types of one schema: the root first, then one for everything that references point to.
 * @param taken names that the server has already; the new ones are added
 */
export function planDeclarations(clean: CleanSchema, rootName: string, taken: Set<string>): PlannedType[] {
  const names = new Map([["#", rootName]]);
  for (const definition of clean.definitions.keys()) {
    names.set(`#/$defs/${definition}`, claimName(`${rootName}${toTypeName(definition)}`, taken));
  }
  const typeNameOf: TypeNameOf = (reference) => names.get(reference) ?? "unknown";
  const nodes = [
    ["#", clean.root] as const,
    ...[...clean.definitions].map(([key, node]) => [`#/$defs/${key}`, node] as const),
  ];
  const types = nodes.map(([reference, node]) => ({
    name: typeNameOf(reference),
    schema: toDeclarationSchema(node, typeNameOf),
  }));
  return cutCircles(types);
}

const CIRCULAR = "Warning: the schema refers to itself without end, which TypeScript cannot say.";

/** A type that is nothing but itself does not compile; such a reference says nothing and becomes `unknown`. */
function cutCircles(types: readonly PlannedType[]): PlannedType[] {
  const edges = new Map(types.map((type) => [type.name, openNames(type.schema)]));
  const circular = types.filter((type) => reaches(type.name, type.name, edges, new Set())).map((type) => type.name);
  return types.map((type) =>
    circular.includes(type.name)
      ? { name: type.name, schema: { ...withoutNames(type.schema, new Set(circular)), description: CIRCULAR } }
      : type,
  );
}

function reaches(from: string, goal: string, edges: ReadonlyMap<string, string[]>, seen: Set<string>): boolean {
  return (edges.get(from) ?? []).some((next) => {
    if (next === goal) return true;
    if (seen.has(next)) return false;
    seen.add(next);
    return reaches(next, goal, edges, seen);
  });
}

/** The names that a type must know at once, which are those outside of any object or array. */
function openNames(schema: DeclarationSchema): string[] {
  const name = ownValue(schema, "tsType");
  return [...(typeof name === "string" ? [name] : []), ...partsOf(schema).flatMap(openNames)];
}

function withoutNames(schema: DeclarationSchema, names: ReadonlySet<string>): DeclarationSchema {
  const name = ownValue(schema, "tsType");
  if (typeof name === "string" && names.has(name)) return { tsType: "unknown" };
  const changed = ["allOf", "anyOf"]
    .filter((keyword) => Object.hasOwn(schema, keyword))
    .map(
      (keyword) =>
        [keyword, (schema[keyword] as DeclarationSchema[]).map((part) => withoutNames(part, names))] as [
          string,
          JsonValue,
        ],
    );
  return { ...schema, ...Object.fromEntries(changed) };
}

function partsOf(schema: DeclarationSchema): DeclarationSchema[] {
  return [ownValue(schema, "allOf"), ownValue(schema, "anyOf")].flatMap(
    (parts) => (parts ?? []) as DeclarationSchema[],
  );
}
