import { recordBundle } from "./record-bundle.ts";
import { lockedServers } from "../../schemas/run/locked-servers.ts";
import type { RunOptions } from "../../runtime/sandbox/pool/run-bundle.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { RecordRequest } from "../../engine/extras.ts";

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
