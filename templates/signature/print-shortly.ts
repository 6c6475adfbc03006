import type { JsonObject } from "../../schemas/json/json.ts";
import type { CleanSchema } from "../../schemas/json-schema/clean-schema.ts";
import type { Direction } from "../../schemas/json-schema/direction.ts";
import { toDeclarationSchema } from "../types/declaration-schema.ts";
import { describeBriefly } from "./describe-briefly.ts";
import { type CompactType, type CompactTypeOptions, printCompactType, type TypeBounds } from "./print-compact-type.ts";
import { pruneSchema } from "./prune-schema.ts";

interface Shortening extends TypeBounds {
  /** The longest description of a property. */
  comment: number;
}

/** Tried one after the other until a type is short enough: comments go first, then what is deep inside. */
const SHORTENINGS: readonly Shortening[] = [
  { comment: 120, depth: 8, members: 60 },
  { comment: 60, depth: 6, members: 40 },
  { comment: 30, depth: 4, members: 24 },
  { comment: 0, depth: 3, members: 16 },
  { comment: 0, depth: 2, members: 12 },
  { comment: 0, depth: 1, members: 8 },
];

/** Characters; about four make a token. Scripts need the input whole more often than the output. */
const LONGEST: Readonly<Record<Direction, number>> = { input: 2000, output: 1000 };

/** Where a type is printed. */
export type Place = Pick<CompactTypeOptions, "context" | "direction">;

/**
 * Prints a type in the first form that is short enough.
 * @param longest in characters
 */
export function printShortly(clean: CleanSchema, place: Place, longest = LONGEST[place.direction]): CompactType {
  let type: CompactType = { text: "unknown", isCut: true };
  for (const shortening of SHORTENINGS) {
    type = printType(clean, place, shortening);
    if (type.text.length <= longest) return type;
  }
  return type.text.length <= 2 * longest ? type : { text: "unknown /*…*/", isCut: true };
}

function printType(clean: CleanSchema, place: Place, { comment, ...bounds }: Shortening): CompactType {
  const wording = {
    openObjects: "closed" as const,
    typeNameOf: (reference: string) => reference,
    describe: (node: JsonObject) => describeBriefly(node, comment),
  };
  const nodes = [...pruneSchema(clean, bounds.depth)];
  const schemas = new Map(nodes.map(([reference, node]) => [reference, toDeclarationSchema(node, wording)]));
  return printCompactType(schemas.get("#") ?? {}, schemas, { ...bounds, ...place });
}
