import { basename } from "node:path";
import { recordingTooLarge } from "../../schemas/errors.ts";
import { parseRecording } from "../../schemas/run/parse-recording.ts";
import { type Recording, RECORDING_VERSION } from "../../schemas/run/recording.ts";
import { readText } from "../../engine/project/files.ts";
import { writeOutputFile } from "../../engine/project/output-file.ts";
import type { RunRecorder, RecordRequest } from "../../engine/extras.ts";
import { escapeInvisible } from "../../schemas/json/escape-invisible.ts";
import { integrityOfText } from "../../schemas/lock/integrity.ts";
import { recordBundle } from "./record-bundle.ts";
import { lockedServers } from "../../schemas/run/locked-servers.ts";
import type { SandboxRun } from "../../runtime/sandbox/pool/run-bundle.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";

/** Readable by its owner only, because of results of tools. */
const OWNER_ONLY = 0o600;

/** Loads a recording. Throws where it is broken, was changed, or is of a newer version. */
export async function loadRecording(file: string): Promise<Recording> {
  return parseRecording(await readText(file, "recording"), basename(file));
}

/** Writes a recording; `project` is the folder out of which no link may lead. */
export function writeRecording(file: string, recording: Recording, project: string): Promise<void> {
  return writeOutputFile(file, formatRecording(recording), { project, kind: "recording", mode: OWNER_ONLY });
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

/**
 * The text of a recording, its own integrity included. Its own members have a fixed order; what servers and scripts made keeps its order,
 * because a script can see that. The bundle, which few will read, comes last.
 */
export function formatRecording(recording: Recording): string {
  const { madeBy, script, redact, servers, start, input, key, limits, ending, answer, calls, events, bundle } =
    recording;
  const content = {
    ...{ recordingVersion: RECORDING_VERSION, madeBy, script, redact, servers, start, input, key, limits },
    ...{ ending, answer, calls, events, bundle },
  };
  const integrity = integrityOfText(JSON.stringify(content));
  return `${escapeInvisible(JSON.stringify({ ...content, integrity }, null, 2))}\n`;
}

/** Runs a bundle and hands over the recording of it. */
export async function recordRun(
  bundle: Bundle,
  options: SandboxRun,
  { redact, onRecorded }: RecordRequest,
  { script, lockfile }: { script: string; lockfile: Lockfile },
): Promise<RunAnswer> {
  const subject = { redact, script, servers: lockedServers(bundle.manifest, lockfile) };
  const { answer, recording } = await recordBundle(bundle, options, subject);
  onRecorded(recording);
  return answer;
}
