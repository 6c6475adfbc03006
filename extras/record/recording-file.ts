import { basename } from "node:path";
import { recordingTooLarge } from "../../schemas/errors.ts";
import { formatRecording } from "./format-recording.ts";
import { parseRecording } from "../../schemas/run/parse-recording.ts";
import type { Recording } from "../../schemas/run/recording.ts";
import { readText, writeAtomically } from "../../engine/project/files.ts";
import type { RunRecorder } from "../../engine/extras.ts";

/** Readable by its owner only, because of results of tools. */
const OWNER_ONLY = 0o600;

/** Loads a recording. Throws where it is broken, was changed, or is of a newer version. */
export async function loadRecording(file: string): Promise<Recording> {
  return parseRecording(await readText(file), basename(file));
}

/** Writes a recording; `project` is the folder out of which no link may lead. */
export function writeRecording(file: string, recording: Recording, project: string): Promise<void> {
  return writeAtomically(file, formatRecording(recording), { project, mode: OWNER_ONLY });
}

/** A request to record one run into a file; `project` is the folder out of which no link may lead. */
export function makeRunRecorder(file: string, redact: readonly string[], project: string): RunRecorder {
  let recorded: { recording: Recording | undefined } | undefined;
  return {
    file,
    request: { redact, onRecorded: (recording) => (recorded = { recording }) },
    async write() {
      if (recorded === undefined) return;
      if (recorded.recording === undefined) throw recordingTooLarge(basename(file));
      await writeRecording(file, recorded.recording, project);
    },
  };
}
