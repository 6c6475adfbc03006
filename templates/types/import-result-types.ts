import { byCodeUnits } from "../../schemas/json/canonical-json.ts";
import type { Exchange } from "../module-source.ts";
import type { ToolPlan } from "../server-plan.ts";

/** What the types of these tools need of the runtime; empty for nothing. */
export function importResultTypes(tools: readonly Pick<ToolPlan, "resultTypes">[]): Exchange[] {
  const names = tools.flatMap(({ resultTypes }) =>
    resultTypes.map(({ name, local }) => (name === local ? name : `${name} as ${local}`)),
  );
  if (names.length === 0) return [];
  return [{ names: [...new Set(names)].toSorted(byCodeUnits), from: "@codemode/runtime/results", isTypeOnly: true }];
}
