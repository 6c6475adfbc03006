import { isJsonObject, type JsonObject, ownValue } from "../schemas/json/json.ts";
import { cleanInputSchema } from "../schemas/json-schema/clean-input-schema.ts";
import { type CleanSchema, cleanSchema } from "../schemas/json-schema/clean-schema.ts";
import type { Direction } from "../schemas/json-schema/direction.ts";
import type { LockedTool } from "../schemas/lock/lockfile.ts";
import { acceptsNoArgument } from "./plan.ts";
import { describeBriefly } from "./signature/describe-briefly.ts";
import {
  type CompactType,
  type CompactTypeOptions,
  printCompactType,
  type TypeBounds,
} from "./signature/print-compact-type.ts";
import { pruneSchema } from "./signature/prune-schema.ts";
import { shortenText } from "../schemas/text/short-text.ts";
import { toCommentText } from "../schemas/text/visible-text.ts";
import { toDeclarationSchema } from "./types/declaration-schema.ts";

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
const LONGEST_DOC = 160;

/**
 * One tool in the fewest tokens that let an author call it: the description's beginning, the function, its types written in
 * place. A script that compiles against this compiles against the declarations of the generated package. It is text for readers; all text
 * of the server stays inside comments and strings.
 */
export function emitSignature(tool: LockedTool): string {
  const input = cleanInputSchema(tool.inputSchema);
  const inputType = printShortly(input, { direction: "input", context: tool.name });
  const output =
    tool.outputSchema === undefined
      ? undefined
      : printShortly(cleanSchema(tool.outputSchema, "output"), { direction: "output", context: tool.name });
  const parameter = `input${acceptsNoArgument(input) ? "?" : ""}: ${inputType.text}`;
  const isBare = acceptsNoArgument(input) && /^(?:\{\}|Record<string, unknown>)$/.test(inputType.text);
  const isCut = inputType.isCut || output?.isCut === true;
  const lines = [
    ...printDoc(tool),
    `export function ${tool.exportName}(${isBare ? "" : parameter}): Promise<${output?.text ?? "unknown"}>;` +
      (isCut ? " // … is left out here: getTool() tells all" : ""),
  ];
  return lines.join("\n");
}

type Place = Pick<CompactTypeOptions, "context" | "direction">;

function printShortly(clean: CleanSchema, place: Place): CompactType {
  const longest = LONGEST[place.direction];
  let type: CompactType = { text: "unknown", isCut: true };
  for (const shortening of SHORTENINGS) {
    type = printType(clean, place, shortening);
    if (type.text.length <= longest) return type;
  }
  return type.text.length <= 2 * longest ? type : { text: "unknown /*…*/", isCut: true };
}

function printType(clean: CleanSchema, place: Place, { comment, ...bounds }: Shortening): CompactType {
  const wording = {
    typeNameOf: (reference: string) => reference,
    describe: (node: JsonObject) => describeBriefly(node, comment),
  };
  const nodes = [...pruneSchema(clean, bounds.depth)];
  const schemas = new Map(nodes.map(([reference, node]) => [reference, toDeclarationSchema(node, wording)]));
  return printCompactType(schemas.get("#") ?? {}, schemas, { ...bounds, ...place });
}

function printDoc(tool: LockedTool): string[] {
  const { annotations } = tool;
  const hint = (name: string): boolean => isJsonObject(annotations) && ownValue(annotations, name) === true;
  const tag = hint("readOnlyHint") ? "[read-only]" : hint("destructiveHint") ? "[destructive]" : "";
  const text = toCommentText(shortenText(tool.description ?? tool.title ?? "", LONGEST_DOC)).replace(/\s+/g, " ");
  const words = [text, tag].filter((part) => part !== "").join(" ");
  return words === "" ? [] : [`/** ${words} */`];
}
