import type { CompletionExtra } from "../../cli/run-cli.ts";

export const extra: CompletionExtra = {
  commands: {
    completion: async () => (await import("./command.ts")).completion,
  },
  complete: async (argv) => (await import("./suggest-words.ts")).complete(argv),
};
