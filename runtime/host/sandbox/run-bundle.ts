import type { LogEntry, RunAnswer, RunLimits } from "../../../schemas/answer.ts";
import type { Bundle } from "../../../schemas/bundle.ts";
import type { JsonValue } from "../../../schemas/json.ts";
import type { ToolCallEvent } from "../tool-call-event.ts";
import type { ToolHost } from "../tool-host.ts";
import { conductRun } from "./conduct-run.ts";
import { describeEnding, describeLogTruncation } from "./ending-diagnostics.ts";
import type { SandboxPool } from "./pool.ts";
import { makeRunLog } from "./run-log.ts";
import { makeScriptPositions } from "./script-positions.ts";
import type { Timekeeper } from "./timekeeper.ts";
import { makeToolCallDesk, type ToolCallDesk } from "./tool-call-desk.ts";

export interface RunOptions {
  toolHost: ToolHost;
  limits: RunLimits;
  pool: SandboxPool;
  /** What the script reads at `globalThis.__codemode_input__`; null unless given. */
  input?: JsonValue;
  /** Called with every log entry as it happens. */
  onLog?: (entry: LogEntry) => void;
  /** Called at the start and the end of every tool call. */
  onToolCall?: (event: ToolCallEvent) => void;
  /** Cancels the run, its calls in flight too. */
  signal?: AbortSignal;
  /** On whose behalf it runs: a pool that reuses processes never shares one between two of these. A process of its own unless given. */
  trustDomain?: string;
  /** Makes the run repeatable. */
  timekeeper?: Timekeeper;
}

/**
 * Runs a bundle once, in a fresh sandbox (specification 1.4), and gives the answer of section 3.3. It never rejects for what a script does;
 * it rejects with a `SandboxStartError` where this machine cannot start a sandbox at all.
 */
export function runBundle(bundle: Bundle, options: RunOptions): Promise<RunAnswer> {
  const { toolHost, limits, onToolCall } = options;
  return runWithDesk(bundle, makeToolCallDesk(toolHost, limits.maxToolCalls, onToolCall), options);
}

/** The same, with the calls taken by a desk of the caller's. */
export async function runWithDesk(
  bundle: Bundle,
  desk: ToolCallDesk,
  options: Omit<RunOptions, "toolHost" | "onToolCall">,
): Promise<RunAnswer> {
  const { pool, input = null, onLog, signal, timekeeper } = options;
  const limits = { ...options.limits, maxMemoryBytes: Math.min(options.limits.maxMemoryBytes, pool.maxMemoryBytes) };
  const positions = makeScriptPositions(bundle);
  const log = makeRunLog(limits.maxLogBytes, positions.translate, onLog);
  const sandbox = await pool.take(timekeeper === undefined ? options.trustDomain : undefined);
  const ending = await conductRun({ sandbox, bundle, input, limits, log, desk, signal, timekeeper });
  desk.close();
  return {
    logs: log.entries,
    result: ending.kind === "result" ? ending.value : null,
    diagnostics: [
      ...describeEnding(ending, limits, positions),
      ...(log.isTruncated() ? [describeLogTruncation(limits)] : []),
    ],
    toolTrace: desk.trace(),
  };
}
