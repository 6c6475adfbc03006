import { lockedServers, recordBundle } from "../../runtime/host/recording/record-bundle.ts";
import type { RunOptions } from "../../runtime/host/sandbox/run-bundle.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { Recording } from "../../schemas/run/recording.ts";

/** Asks for a recording of one run. */
export interface RecordRequest {
  /** Glob patterns over the names of what must not end in the recording. */
  redact: readonly string[];
  /** Receives the recording; undefined if the run exceeds its maximum size. */
  onRecorded: (recording: Recording | undefined) => void;
}

/** Runs a bundle and hands over the recording of it. */
export async function recordRun(
  bundle: Bundle,
  options: RunOptions,
  { redact, onRecorded }: RecordRequest,
  { script, lockfile }: { script: string; lockfile: Lockfile },
): Promise<RunAnswer> {
  const subject = { redact, script, servers: lockedServers(bundle.manifest, lockfile) };
  const { answer, recording } = await recordBundle(bundle, options, subject);
  onRecorded(recording);
  return answer;
}
