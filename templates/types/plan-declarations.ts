import type { OpenObjects } from "../../schemas/config/config.ts";
import type { CleanSchema } from "../../schemas/json-schema/clean-schema.ts";
import { claimName, toTypeName } from "../../schemas/text/type-name.ts";
import { type DeclarationSchema, toDeclarationSchema, type TypeWording } from "./declaration-schema.ts";
import { planDescription } from "./description.ts";

/** One `interface` or `type` of a generated module. */
export interface PlannedType {
  name: string;
  schema: DeclarationSchema;
}

/**
 * The types of one schema: the root first, then one for everything that references point to.
 * @param taken names that the server has already; the new ones are added
 */
export function planDeclarations(
  clean: CleanSchema,
  rootName: string,
  taken: Set<string>,
  openObjects: OpenObjects,
): PlannedType[] {
  const names = new Map([["#", rootName]]);
  for (const definition of clean.definitions.keys()) {
    names.set(`#/$defs/${definition}`, claimName(`${rootName}${toTypeName(definition)}`, taken));
  }
  const typeNameOf = (reference: string): string => names.get(reference) ?? "unknown";
  const wording: TypeWording = { openObjects, typeNameOf, describe: planDescription };
  const nodes = [
    ["#", clean.root] as const,
    ...[...clean.definitions].map(([key, node]) => [`#/$defs/${key}`, node] as const),
  ];
  return nodes.map(([reference, node]) => ({
    name: typeNameOf(reference),
    schema: toDeclarationSchema(node, wording),
  }));
}
