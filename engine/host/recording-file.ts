import { basename } from "node:path";
import { recordingTooLarge } from "../../schemas/errors.ts";
import { formatRecording } from "../../schemas/run/format-recording.ts";
import { parseRecording } from "../../schemas/run/parse-recording.ts";
import type { Recording } from "../../schemas/run/recording.ts";
import { readText, writeTextAtomically } from "../project/files.ts";
import type { RecordRequest } from "./record-run.ts";

/** Results of tools are nobody else's business. */
const OWNER_ONLY = 0o600;

/** Loads a recording. Throws where it is broken, was changed, or is of a newer version. */
export async function loadRecording(file: string): Promise<Recording> {
  return parseRecording(await readText(file), basename(file));
}

export function writeRecording(file: string, recording: Recording): Promise<void> {
  return writeTextAtomically(file, formatRecording(recording), OWNER_ONLY);
}

/** A wish to record one run, and the function that writes what came of it. Nothing is written of a script that did not get to run. */
export function makeRunRecorder(
  file: string,
  redact: readonly string[],
): { file: string; request: RecordRequest; write(): Promise<void> } {
  let recorded: { recording: Recording | undefined } | undefined;
  return {
    file,
    request: { redact, onRecorded: (recording) => (recorded = { recording }) },
    async write() {
      if (recorded === undefined) return;
      if (recorded.recording === undefined) throw recordingTooLarge(basename(file));
      await writeRecording(file, recorded.recording);
    },
  };
}
