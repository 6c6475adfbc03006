import type { CommandsExtra } from "../../cli/command.ts";

export const extra: CommandsExtra = {
  commands: {
    doctor: async () => (await import("./command.ts")).doctor,
  },
};
