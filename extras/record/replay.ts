import { lockedServers } from "../../schemas/run/locked-servers.ts";
import { type Replay, replayRecording, type ReplayOptions } from "./replay-recording.ts";
import { capLimits } from "../../runtime/sandbox/pool/limits.ts";
import { makeSandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { PinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import type { Recording } from "../../schemas/run/recording.ts";

export { loadRecording, writeRecording } from "./recording-file.ts";
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
