import type { JsonValue } from "../../schemas/json.ts";
import { cleanInputSchema } from "../../schemas/json-schema/clean-input-schema.ts";
import { planExamples } from "../../schemas/json-schema/plan-examples.ts";
import type { LockedTool } from "../../schemas/lockfile.ts";
import type { InputCheck } from "./input-check.ts";

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
