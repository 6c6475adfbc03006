import { isJsonObject, ownValue } from "../schemas/json/json.ts";
import { cleanInputSchema, cleanSchema } from "../schemas/json-schema/clean-schema.ts";
import type { LockedTool } from "../schemas/lock/lockfile.ts";
import { observedOf } from "../schemas/observed/observed-results.ts";
import { toCommentText } from "../schemas/text/visible-text.ts";
import { acceptsNoArgument } from "./plan.ts";
import type { CompactType } from "./signature/print-compact-type.ts";
import { printShortly, printResultType } from "./signature/print-shortly.ts";
import { shortenText } from "../schemas/text/short-text.ts";

const LONGEST_DOC = 160;

/** Tools are values: the same tool has the same signature in every lockfile. */
const known = new WeakMap<LockedTool, string>();

/** What `emitSignature` gives, made once. */
export function signatureOf(tool: LockedTool): string {
  const signature = known.get(tool) ?? emitSignature(tool);
  known.set(tool, signature);
  return signature;
}

/**
 * One tool in the fewest tokens that let an author call it: the description's beginning, the function, its types written in
 * place. A script that compiles against this compiles against the declarations of the generated package. It is text for readers; all text
 * of the server stays inside comments and strings.
 */
export function emitSignature(tool: LockedTool): string {
  const input = cleanInputSchema(tool.inputSchema);
  const inputType = printShortly(input, { direction: "input", context: tool.name });
  const output = printOutput(tool);
  const parameter = `input${acceptsNoArgument(input) ? "?" : ""}: ${inputType.text}`;
  const isBare = acceptsNoArgument(input) && /^(?:\{\}|Record<string, unknown>)$/.test(inputType.text);
  const isCut = inputType.isCut || output.isCut;
  const lines = [
    ...printDoc(tool),
    `export function ${tool.exportName}(${isBare ? "" : parameter}): Promise<${output.text}>;` +
      (isCut ? " // … is left out here: getTool() tells all" : ""),
  ];
  return lines.join("\n");
}

/** What the binding returns; the server declares it, or it was observed. */
function printOutput(tool: LockedTool): CompactType {
  if (tool.outputSchema !== undefined) {
    return printShortly(cleanSchema(tool.outputSchema, "output"), { direction: "output", context: tool.name });
  }
  const observed = observedOf(tool);
  return observed === undefined ? { text: "string | McpResult", isCut: false } : printResultType(observed.shape);
}

function printDoc(tool: LockedTool): string[] {
  const { annotations } = tool;
  const hint = (name: string): boolean => isJsonObject(annotations) && ownValue(annotations, name) === true;
  const tag = hint("readOnlyHint") ? "[read-only]" : hint("destructiveHint") ? "[destructive]" : "";
  const text = toCommentText(shortenText(tool.description ?? tool.title ?? "", LONGEST_DOC)).replace(/\s+/g, " ");
  const basis = tool.outputSchema === undefined && tool.observed !== undefined ? "[result observed]" : "";
  const words = [text, tag, basis].filter((part) => part !== "").join(" ");
  return words === "" ? [] : [`/** ${words} */`];
}
