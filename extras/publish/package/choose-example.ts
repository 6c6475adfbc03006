import { isJsonObject, type JsonValue, ownValue } from "../../../schemas/json/json.ts";
import { toSchemaDocument } from "../../../schemas/json-schema/clean-schema.ts";
import { planExamples } from "../../../schemas/json-schema/plan-examples.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import type { ServerPlan, ToolPlan } from "../../../templates/server-plan.ts";
import { printValue } from "../../../schemas/text/print-value.ts";
import { printValidator } from "../../../templates/validators/print-validator.ts";

/** A call that a reader can try. */
export interface ExampleCall {
  exportName: string;
  /** Source of the argument; empty where the tool needs none. */
  argument: string;
}

/**
 * The call that shows how a server is used: of a tool that only reads, if there is one, with an input that it accepts.
 * Undefined for a server without tools.
 */
export function chooseExample(plan: ServerPlan, server: LockedServer): ExampleCall | undefined {
  const harm = new Map(server.tools.map(({ name, annotations }) => [name, harmOf(annotations)]));
  const ranked = plan.tools.toSorted((left, right) => (harm.get(left.toolName) ?? 0) - (harm.get(right.toolName) ?? 0));
  for (const tool of ranked) {
    const argument = findArgument(tool);
    if (argument !== undefined) return { exportName: tool.exportName, argument };
  }
  return undefined;
}

/** From what a tool says of itself; one that says nothing may do anything. */
function harmOf(annotations: JsonValue | undefined): number {
  const hint = (name: string): JsonValue | undefined =>
    isJsonObject(annotations) ? ownValue(annotations, name) : undefined;
  if (hint("readOnlyHint") === true) return 0;
  return hint("destructiveHint") === false ? 1 : 2;
}

function findArgument(tool: ToolPlan): string | undefined {
  if (tool.inputOptional) return "";
  try {
    const { accepts } = printValidator(toSchemaDocument(tool.input));
    const example = planExamples(tool.input).find((candidate) => accepts(candidate));
    return example === undefined ? undefined : printValue(example);
  } catch {
    // The schema does not compile, so valid inputs are unknown.
    return undefined;
  }
}
