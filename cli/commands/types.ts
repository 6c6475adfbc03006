import { emitDeclarations } from "../../templates/emit-declarations.ts";
import { planServer } from "../../templates/plan.ts";
import type { Command } from "../command.ts";
import { loadConfig } from "../../engine/project/config/load-config.ts";
import { selectTools } from "../../engine/project/select-tools.ts";

/** `codemode types`: prints the declarations that an author of a script sees. */
export const types: Command = async ({ args, context }) => {
  const selections = await selectTools(await loadConfig(context), args[0]);
  const texts = await Promise.all(
    selections.map(({ server, tools }) => {
      // The whole server is planned: the names of its types depend on all of its tools.
      const plan = planServer(server);
      const chosen = new Set(tools.map(({ exportName }) => exportName));
      return emitDeclarations(
        plan,
        plan.tools.filter(({ exportName }) => chosen.has(exportName)),
      );
    }),
  );
  context.output.result(texts.join("\n").trimEnd());
  return 0;
};
