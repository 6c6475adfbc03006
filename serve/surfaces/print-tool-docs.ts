import type { LockedServer, LockedTool } from "../../schemas/lock/lockfile.ts";
import { declarationsOfTool, exampleInputOf } from "../../engine/declarations.ts";
import { printValue } from "../../schemas/text/print-value.ts";

/** Everything about one tool: how to call it, and its declarations with doc comments, parameters and annotations. */
export async function printToolDocs(server: LockedServer, tool: LockedTool): Promise<string> {
  const example = await exampleInputOf(tool);
  const input = example === undefined ? "/* no example can be made of the schema */" : printValue(example);
  return [
    `import { ${tool.exportName} } from "@codemode/servers/${server.id}";`,
    `const result = await ${tool.exportName}(${input});`,
    "",
    (await declarationsOfTool(server, tool)).trimEnd(),
  ].join("\n");
}
