import type { CommandsExtra } from "../../cli/command.ts";
import type { LearnExtra } from "../../engine/extras.ts";
import { collectShapes } from "./collect-shapes.ts";

export const extra: LearnExtra & CommandsExtra = {
  collectShapes,
  findPending: async (config) =>
    (await (await import("./learn-results.ts")).learnResults(config, { check: true })).changes,
  commands: {
    learn: async () => (await import("./command.ts")).learn,
  },
};
