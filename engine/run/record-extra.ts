import type { SandboxRun } from "../../runtime/sandbox/pool/run-bundle.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import type { Recording } from "../../schemas/run/recording.ts";

/** Asks for a recording of one run. */
export interface RecordRequest {
  /** Glob patterns over the names of what must not end in the recording. */
  redact: readonly string[];
  /** Receives the recording; undefined if the run exceeds its maximum size. */
  onRecorded: (recording: Recording | undefined) => void;
}

/** A request to record one run into a file. */
export interface RunRecorder {
  file: string;
  request: RecordRequest;
  /** Writes the recording. A script that did not run leaves no file. */
  write(): Promise<void>;
}

/** What records runs. */
export interface RecordExtra {
  /** Runs a bundle and hands over the recording of it. */
  recordRun(
    bundle: Bundle,
    options: SandboxRun,
    request: RecordRequest,
    subject: { script: string; lockfile: Lockfile },
  ): Promise<RunAnswer>;
  /** Writes a recording to a file; `project` is as in the next one. */
  writeRecording(file: string, recording: Recording, project: string): Promise<void>;
  /** @param project the folder out of which no link may lead */
  makeRunRecorder(file: string, redact: readonly string[], project: string): RunRecorder;
}
