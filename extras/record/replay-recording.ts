import type { LogEntry, RunAnswer } from "../../schemas/run/answer.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import type { Recording } from "../../schemas/run/recording.ts";
import { VERSION } from "../../schemas/version.ts";
import { capLimits } from "../../runtime/sandbox/pool/limits.ts";
import { type SandboxPool, makeSandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import { runWithDispatcher } from "../../runtime/sandbox/pool/run-bundle.ts";
import type { Divergence } from "../../schemas/run/compare-calls.ts";
import { compareEnds, divergenceFinding } from "./divergence.ts";
import { maskRecording, type RecordingSubject } from "./record-bundle.ts";
import { makeReplayer } from "./replayer.ts";
import { makeVault } from "../../runtime/host/vault/vault.ts";
import { lockedServers } from "../../schemas/run/locked-servers.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { PinnedBundle } from "../../schemas/run/pinned-bundle.ts";

export interface ReplayOptions {
  pool: SandboxPool;
  /** Another bundle than the recorded one, and what is said of it. */
  changed?: { bundle: Bundle; subject: Pick<RecordingSubject, "script" | "servers"> };
  /** Takes over what differs, as far as the recorded replies go: other inputs, logs, another result. */
  update?: boolean | undefined;
  onLog?: ((entry: LogEntry) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface Replay {
  /** With a `REPLAY_DIVERGED` finding where it is not what was recorded. */
  answer: RunAnswer;
  /** The first place where it is not; absent where all is the same, or taken over. */
  divergence?: Divergence;
  /** What was taken over, with `update`. */
  changes: readonly Divergence[];
  /** The recording of this run, with `update` and where there is no divergence. */
  updated?: Recording;
}

/** Runs a recorded bundle again, with the recorded replies, time and randomness, and compares. No server is needed. */
export async function replayRecording(recording: Recording, options: ReplayOptions): Promise<Replay> {
  const { pool, changed, update = false, onLog, signal } = options;
  const bundle = changed?.bundle ?? recording.bundle;
  const replayer = makeReplayer(recording, update);
  const { dispatcher, timekeeper } = replayer;
  const answer = await runWithDispatcher(bundle, dispatcher, {
    pool,
    timekeeper,
    // A file is anybody's: it may ask for no more than a caller may.
    limits: capLimits(recording.limits),
    input: recording.input,
    key: recording.key,
    emit: onLog && ((event) => (event.type === "log" ? onLog(event.entry) : undefined)),
    signal,
  });
  const { calls, events } = replayer;
  const end = { answer, ending: replayer.ending(), calls: calls.length };
  if (signal?.aborted === true) return { answer, changes: [] };
  const stopped = replayer.divergence();
  const difference = stopped ?? compareEnds(recording, end);
  if (difference !== undefined && (stopped !== undefined || !update)) {
    const diagnostics = [...answer.diagnostics, divergenceFinding(difference)];
    // The result that was received is quoted by the finding; an answer with an error has none.
    return { answer: { ...answer, result: null, diagnostics }, divergence: difference, changes: [] };
  }
  const changes = [...replayer.changes, ...(difference === undefined ? [] : [difference])];
  if (!update) return { answer, changes };
  const updated = {
    ...recording,
    ...changed?.subject,
    ...{ bundle, calls, events, answer, ending: end.ending },
    madeBy: { codemode: VERSION, node: process.version },
  };
  return { answer, changes, updated: maskRecording(updated, makeVault(recording.redact)) };
}

/**
 * Replays a recording in a sandbox of its own. No server is started.
 * @param changed another script, which runs against what was recorded, with the lockfile that it is bundled for
 */
export async function replay(
  recording: Recording,
  options: Omit<ReplayOptions, "pool" | "changed">,
  changed?: { pinned: PinnedBundle; lockfile: Lockfile | undefined },
): Promise<Replay> {
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
