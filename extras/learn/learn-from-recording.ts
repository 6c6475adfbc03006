import { createHash } from "node:crypto";
import { basename } from "node:path";
import { isHostSubject } from "../../runtime/sandbox/pool/host-subjects.ts";
import { readText } from "../../engine/project/files.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { findOperation } from "../../schemas/lock/operations.ts";
import type { Observations } from "../../schemas/observed/learn-into.ts";
import { recordingForeign } from "./learn-errors.ts";
import { joinResultShapes, type ResultShape, shapeOfResult } from "../../schemas/observed/result-shape.ts";
import type { ObservedResults } from "../../schemas/observed/observed-results.ts";
import { parseRecording } from "../../schemas/run/parse-recording.ts";
import type { RecordedCall, Recording } from "../../schemas/run/recording.ts";

/**
 * The shapes of the results in a recording.
 * @throws CodemodeError if the file is no recording, or has a tool that is not locked as it was recorded (`RECORDING_FOREIGN`)
 */
export async function learnFromRecording(file: string, lockfile: Lockfile): Promise<Observations> {
  const text = await readText(file, "recording");
  const recording = parseRecording(text, basename(file));
  const source = createHash("sha256").update(text).digest("base64url").slice(0, 16);
  const byServer = new Map<string, Map<string, ObservedResults>>();
  for (const { serverId, toolName, input, reply } of recording.calls) {
    if (isHostSubject(serverId) || reply?.ok !== true) continue;
    assertLocked({ serverId, toolName }, recording, lockfile, basename(file));
    const shape = shapeOfResult(reply.value, input);
    if (shape === undefined) continue;
    const tools = byServer.get(serverId) ?? new Map<string, ObservedResults>();
    byServer.set(serverId, tools.set(toolName, addResult(tools.get(toolName), source, shape)));
  }
  return byServer;
}

/** More results of a source: one, unless `count` says how many. */
export function addResult(
  known: ObservedResults | undefined,
  source: string,
  shape: ResultShape,
  count = 1,
): ObservedResults {
  return {
    sources: new Map([[source, (known?.sources.get(source) ?? 0) + count]]),
    shape: known === undefined ? shape : joinResultShapes(known.shape, shape),
  };
}

/** The results of another tool of that name say nothing of this one. */
function assertLocked(
  { serverId, toolName }: Pick<RecordedCall, "serverId" | "toolName">,
  { bundle }: Recording,
  lockfile: Lockfile,
  file: string,
): void {
  const locked = findOperation(lockfile.servers.get(serverId), toolName);
  const recorded = bundle.manifest.tools.find((tool) => tool.serverId === serverId && tool.toolName === toolName);
  if (locked === undefined) throw recordingForeign(file, `${serverId}/${toolName}`, "is not in the lockfile");
  if (recorded?.integrity !== locked.integrity) {
    throw recordingForeign(file, `${serverId}/${toolName}`, "has changed since it was recorded");
  }
}
