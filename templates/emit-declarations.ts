import type { ServerPlan, ToolPlan } from "./server-plan.ts";

/**
 * The TypeScript declarations of a server as one text: what an author of a script may write after the import.
 * @param tools the tools to show; all of the server where absent
 */
export async function emitDeclarations(server: ServerPlan, tools: readonly ToolPlan[] = server.tools): Promise<string> {
  const [{ declarationsOf }, { printModule }] = await Promise.all([
    import("./print-tool.ts"),
    import("./print-module.ts"),
  ]);
  const sources = await Promise.all(tools.map(declarationsOf));
  const body = sources
    .map((source) => printModule(source, ""))
    .join("\n")
    .replace(/^export declare /gm, "export ")
    .replace(/^(?=.)/gm, "  ");
  return `declare module "@codemode/servers/${server.serverId}" {\n${body}}\n`;
}
