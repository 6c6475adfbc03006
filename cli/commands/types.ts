import { declarationsOfServer, declarationsOfTool } from "../../engine/declarations.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { selectTools } from "../../engine/select-tools.ts";
import type { Command } from "../command.ts";

/** `codemode types`: prints the declarations that an author of a script sees. */
export const types: Command = async ({ args, context }) => {
  const selections = await selectTools(await loadConfig(context), args[0]);
  const texts = await Promise.all(
    selections.map(({ server, tools }) => {
      const [tool] = tools;
      const isWhole = tool === undefined || tools === server.tools;
      return isWhole ? declarationsOfServer(server) : declarationsOfTool(server, tool);
    }),
  );
  context.output.result(texts.join("\n").trimEnd());
  return 0;
};
