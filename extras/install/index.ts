import type { CommandsExtra } from "../../cli/command.ts";

export const extra: CommandsExtra = {
  commands: {
    install: async () => (await import("./commands/install.ts")).install,
    uninstall: async () => (await import("./commands/uninstall.ts")).uninstall,
  },
};
