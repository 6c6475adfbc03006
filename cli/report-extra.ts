import type { RunAnswer } from "../schemas/run/answer.ts";
import type { RunObservation } from "../schemas/run/observer.ts";
import type { Recording } from "../schemas/run/recording.ts";
import type { ReportFile } from "./read-report-options.ts";

/** Collects the report of one run. */
export interface RunReporter {
  /** To be handed to the engine with the request. */
  observation: RunObservation;
  write(answer: RunAnswer, script: { name: string; code: string }): Promise<void>;
}

/** What writes reports; `project` is the folder out of which no link may lead. */
export interface ReportExtra {
  /** For one run, whose preparation begins now. */
  makeReporter(file: ReportFile, project: string): RunReporter;
  /** The report of a recording, with the place where its replay has diverged. */
  writeReplayReport(
    file: ReportFile,
    recording: Recording,
    replayed: { answer: RunAnswer; updated?: Recording | undefined },
    project: string,
  ): Promise<void>;
}
