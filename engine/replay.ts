import { lockedServers } from "../runtime/host/recording/record-bundle.ts";
import { type Replay, replayRecording, type ReplayOptions } from "../runtime/host/recording/replay-recording.ts";
import { capLimits } from "../runtime/host/sandbox/limits.ts";
import { makeSandboxPool } from "../runtime/host/sandbox/pool.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { PinnedBundle } from "../schemas/run/pinned-bundle.ts";
import type { Recording } from "../schemas/run/recording.ts";

export { loadRecording, writeRecording } from "./host/recording-file.ts";
export type { Replay };

/** How a recording is replayed. */
export interface ReplayRequest extends Omit<ReplayOptions, "pool" | "changed"> {
  /** Another script, which runs against what was recorded, with the lockfile that it is bundled for. */
  changed?: { pinned: PinnedBundle; lockfile: Lockfile | undefined } | undefined;
}

/** Replays a recording in a sandbox of its own. No server is started. */
export async function replay(recording: Recording, { changed, ...options }: ReplayRequest): Promise<Replay> {
  const pool = makeSandboxPool({ refill: false, maxMemoryBytes: capLimits(recording.limits).maxMemoryBytes });
  try {
    if (changed === undefined) return await replayRecording(recording, { ...options, pool });
    const { pinned, lockfile = { servers: new Map() } } = changed;
    const { bundle, name } = pinned;
    const subject = { script: name, servers: lockedServers(bundle.manifest, lockfile) };
    return await replayRecording(recording, { ...options, pool, changed: { bundle, subject } });
  } finally {
    await pool.close();
  }
}
