import type { CommandsExtra } from "../../cli/command.ts";

export const extra: CommandsExtra = {
  commands: {
    pack: async () => (await import("./command.ts")).pack,
  },
};
