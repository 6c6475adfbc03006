import { optionInvalid } from "../../schemas/errors.ts";
import type { Command } from "../../cli/command.ts";
import { completionScript } from "./completion-script.ts";
import { SHELLS } from "./shells.ts";

/** `codemode completion`: prints what a shell has to read to complete the words of codemode. */
export const completion: Command = async ({ args, context }) => {
  const shell = SHELLS.find((name) => name === args[0]);
  if (shell === undefined) throw optionInvalid("completion", `name a shell: ${SHELLS.join(", ")}`);
  context.output.result(completionScript(shell).trimEnd());
  return 0;
};
