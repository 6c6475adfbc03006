import type { CommandsExtra } from "../../cli/command.ts";

export const extra: CommandsExtra = {
  commands: {
    try: async () => (await import("./command.ts")).tryOut,
  },
};
