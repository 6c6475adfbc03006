import type { CommandsExtra } from "../../cli/command.ts";
import type { DurableExtra } from "../../engine/run/durable-extra.ts";
import { openAccountQuestions } from "./account-questions.ts";
import { openAskingRuns, openBatch, openDurableRuns } from "./open-durable-runs.ts";

export const extra: DurableExtra & CommandsExtra = {
  openDurableRuns,
  openAccountQuestions: (config, env) => openAccountQuestions(config, openDurableRuns, env),
  openAskingRuns,
  openBatch,
  commands: {
    runs: async () => (await import("./command.ts")).runs,
  },
};
