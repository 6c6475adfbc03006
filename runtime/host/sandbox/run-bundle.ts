import type { LogEntry, RunAnswer, RunLimits } from "../../../schemas/answer.ts";
import type { Bundle } from "../../../schemas/bundle.ts";
import type { JsonValue } from "../../../schemas/json.ts";
import type { ToolHost } from "../tool-host.ts";
import { conductRun } from "./conduct-run.ts";
import { describeEnding, describeLogTruncation } from "./ending-diagnostics.ts";
import type { SandboxPool } from "./pool.ts";
import { makeRunLog } from "./run-log.ts";
import { makeScriptPositions } from "./script-positions.ts";
import { makeToolCallDesk } from "./tool-call-desk.ts";

export interface RunOptions {
  toolHost: ToolHost;
  limits: RunLimits;
  pool: SandboxPool;
  /** What the script reads at `globalThis.__codemode_input__`; null unless given. */
  input?: JsonValue;
  /** Called with every log entry as it happens. */
  onLog?: (entry: LogEntry) => void;
  /** Cancels the run, its calls in flight too. */
  signal?: AbortSignal;
}

/**
 * Runs a bundle once, in a fresh sandbox (specification 1.4), and gives the answer of section 3.3. It never rejects for what a script does;
 * it rejects with a `SandboxStartError` where this machine cannot start a sandbox at all.
 */
export async function runBundle(bundle: Bundle, options: RunOptions): Promise<RunAnswer> {
  const { toolHost, pool, input = null, onLog, signal } = options;
  const limits = { ...options.limits, maxMemoryBytes: Math.min(options.limits.maxMemoryBytes, pool.maxMemoryBytes) };
  const positions = makeScriptPositions(bundle);
  const log = makeRunLog(limits.maxLogBytes, positions.translate, onLog);
  const desk = makeToolCallDesk(toolHost, limits.maxToolCalls);
  const sandbox = await pool.take();
  const ending = await conductRun({ sandbox, bundle, input, limits, log, desk, signal });
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
