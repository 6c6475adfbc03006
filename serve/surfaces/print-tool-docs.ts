import type { LockedServer, LockedTool } from "../../schemas/lock/lockfile.ts";
import { exampleOf } from "../../runtime/host/checks/example-of.ts";
import { makeInputCheck } from "../../runtime/host/checks/input-check.ts";
import { printValue } from "../../templates/text/print-value.ts";
import { declarationsOfTool } from "../../engine/project/emit/declarations.ts";

const checkInput = makeInputCheck();

/** Everything about one tool: how to call it, and its declarations with doc comments, parameters and annotations. */
export async function printToolDocs(server: LockedServer, tool: LockedTool): Promise<string> {
  const example = exampleOf(tool, checkInput);
  const input = example === undefined ? "/* no example can be made of the schema */" : printValue(example);
  return [
    `import { ${tool.exportName} } from "@codemode/servers/${server.id}";`,
    `const result = await ${tool.exportName}(${input});`,
    "",
    (await declarationsOfTool(server, tool)).trimEnd(),
  ].join("\n");
}
