import type { LockedServer } from "../schemas/lock/lockfile.ts";
import type { ToolPlan } from "./server-plan.ts";

/** Everything of a server that its plan depends on. What was observed is in no integrity, and hidden tools are in that of the whole. */
export function serverSource({ id, name, integrity, tools, isPartial, openObjects }: LockedServer): string {
  const observed = tools.flatMap((tool) => (tool.observed === undefined ? [] : [[tool.name, tool.observed]]));
  const visible = isPartial === true ? tools.map((tool) => tool.exportName) : [];
  return JSON.stringify([id, name, integrity, openObjects ?? "closed", observed, visible]);
}

/** Everything of a tool that its modules depend on. The names of types depend on the other tools of the server too. */
export function toolSource(tool: ToolPlan): string {
  const { moduleId, exportName, integrity, file, types, resultTypes, openObjects, observed = null } = tool;
  const names = types.map(({ name }) => name);
  return JSON.stringify([moduleId, exportName, integrity, file, names, resultTypes, openObjects, observed]);
}
