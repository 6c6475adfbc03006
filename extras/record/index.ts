import type { CommandsExtra } from "../../cli/command.ts";
import type { RecordExtra } from "../../engine/extras.ts";
import { makeRunRecorder, recordRun, writeRecording } from "./recording-file.ts";

export const extra: RecordExtra & CommandsExtra = {
  recordRun,
  makeRunRecorder,
  writeRecording,
  commands: {
    replay: async () => (await import("./command.ts")).replayCommand,
  },
};
