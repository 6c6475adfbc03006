import type { JsonValue } from "../../../schemas/json/json.ts";
import { cleanInputSchema, cleanSchema } from "../../../schemas/json-schema/clean-schema.ts";
import { planExamples } from "../../../schemas/json-schema/plan-examples.ts";
import type { LockedTool } from "../../../schemas/lock/lockfile.ts";
import type { InputCheck } from "./input-check.ts";
import type { OutputCheck } from "./output-check.ts";

const found = new WeakMap<LockedTool, JsonValue | undefined>();

/** A minimal input that the check accepts, the same that the tool's generated binding carries; made when first needed. */
export function exampleOf(tool: LockedTool, checkInput: InputCheck): JsonValue | undefined {
  if (!found.has(tool)) {
    const candidates = planExamples(cleanInputSchema(tool.inputSchema));
    found.set(
      tool,
      candidates.find((candidate) => checkInput(tool, candidate).length === 0),
    );
  }
  return found.get(tool);
}

const foundOutputs = new WeakMap<LockedTool, JsonValue | undefined>();

/** A minimal output that the check accepts; undefined where the tool has no output schema, or none can be made of it. */
export function outputExampleOf(tool: LockedTool, checkOutput: OutputCheck): JsonValue | undefined {
  if (tool.outputSchema === undefined) return undefined;
  if (!foundOutputs.has(tool)) {
    const candidates = planExamples(cleanSchema(tool.outputSchema, "output"));
    const isFit = (candidate: JsonValue): boolean => checkOutput(tool, { structuredContent: candidate }) === undefined;
    foundOutputs.set(tool, candidates.find(isFit));
  }
  return foundOutputs.get(tool);
}
