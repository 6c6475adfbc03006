import type { CommandsExtra } from "../../cli/command.ts";

/** `codemode run --inputs`. */
export const extra: CommandsExtra = {
  commands: {
    runBatch: async () => (await import("./command.ts")).batchCommand,
  },
};
