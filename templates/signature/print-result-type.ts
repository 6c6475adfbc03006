import { cleanSchema } from "../../schemas/json-schema/clean-schema.ts";
import type { ResultShape } from "../../schemas/observed/result-shape.ts";
import type { Shape } from "../../schemas/observed/shape.ts";
import { toClosedSchema } from "../../schemas/observed/shape-schema.ts";
import type { CompactType } from "./print-compact-type.ts";
import { printShortly } from "./print-shortly.ts";

/**
 * What a binding returns, as it was observed, in one line.
 * @param longest in characters, for each form of the results
 */
export function printResultType({ text, json, structured, blocks }: ResultShape, longest?: number): CompactType {
  const print = (shape: Shape | undefined): CompactType | undefined =>
    shape && printShortly(cleanSchema(toClosedSchema(shape), "output"), { direction: "output", context: "" }, longest);
  const [inside, content] = [print(json), print(structured)];
  const members = [
    ...(text === true && inside === undefined ? ["string"] : []),
    ...(inside === undefined ? [] : [`JsonText<${inside.text}>`]),
    ...(content === undefined ? [] : [content.text]),
    ...(blocks === undefined ? [] : ["McpResult"]),
  ];
  return { text: members.join(" | "), isCut: inside?.isCut === true || content?.isCut === true };
}
