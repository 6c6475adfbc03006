import type { ServerPlan, ToolPlan } from "./server-plan.ts";
import type { ResultType } from "./types/plan-output.ts";

/**
 * The TypeScript declarations of a server as one text: what an author of a script may write after the import.
 * @param tools the tools to show; all of the server where absent
 * @param pause waited for after each tool, where others must have their turn meanwhile: thousands of tools take seconds
 */
export async function emitDeclarations(
  server: ServerPlan,
  tools: readonly ToolPlan[] = server.tools,
  pause?: () => Promise<void>,
): Promise<string> {
  const [{ printDeclarations }, { printModule }] = await Promise.all([
    import("./print-tool.ts"),
    import("./print-module.ts"),
  ]);
  const modules: string[] = [];
  for (const tool of tools) {
    modules.push(printModule(await printDeclarations(tool), ""));
    await pause?.();
  }
  const used = new Map(tools.flatMap(({ resultTypes }) => resultTypes.map((type) => [type.local, type] as const)));
  const body = [...[...used.values()].map(declareResultType), ...modules]
    .join("\n")
    .replace(/^export declare /gm, "export ")
    .replace(/^(?=.)/gm, "  ");
  return `declare module "@codemode/servers/${server.moduleId}" {\n${body}}\n`;
}

/** The text is read without the module that has the types. */
function declareResultType({ name, local }: ResultType): string {
  return name === "JsonText"
    ? `/** A string: JSON.parse of it gives a T. */\ntype ${local}<T> = string & { readonly parsed?: T };\n`
    : `type ${local} = { content: { type: string; text?: string; data?: string; mimeType?: string; uri?: string }[] };\n`;
}
