import type { CommandsExtra } from "../../cli/command.ts";
import type { ReportExtra } from "../../cli/report-extra.ts";
import { makeReporter, writeReplayReport } from "./report/collect/report-file.ts";

/** The pages that a browser shows: `codemode ui`, and reports of runs. */
export const extra: ReportExtra & CommandsExtra = {
  makeReporter,
  writeReplayReport,
  commands: {
    ui: async () => (await import("./server/command.ts")).ui,
  },
};
