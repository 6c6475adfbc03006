// Does with functions what `codeMode` can do without a project, and prints what came of it as JSON.
import { codeMode, defineTool } from "codemode";
import { z } from "zod";

const double = defineTool({
  description: "Doubles a number",
  inputSchema: z.object({ n: z.number() }),
  outputSchema: z.object({ twice: z.number() }),
  execute: ({ n }) => ({ twice: n * 2 }),
});
const code = await codeMode({ math: { double } }, { typecheck: "error" });
const linked = 'import { double } from "@codemode/servers/math"; export default (await double({ n: 2 })).twice;';
const bundled = 'import * as math from "@codemode/servers/math"; export default Object.keys(math).includes("double");';
const misspelt =
  'import { double } from "@codemode/servers/math"; export default (await double({ n: 2 })).twize.length;';
const run = async (script) => (await code.run({ code: script })).result;
const found = {
  linked: await run(linked),
  bundled: await run(bundled),
  hint: (await code.run({ code: misspelt })).diagnostics.find(({ code: kind }) => kind === "TYPE_ERROR")?.hint,
  tool: (await code.tool.call({ code: linked })).result,
  called: await code.callTool("math/double", { n: 4 }),
  declared: (await code.declarations()).includes("twice: number"),
};
await code.close();
process.stdout.write(JSON.stringify(found));
