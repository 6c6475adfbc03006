import type { LogEntry, RunAnswer, RunLimits } from "../../../schemas/run/answer.ts";
import type { Bundle } from "../../../schemas/run/bundle.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { Reader } from "../../../schemas/reader.ts";
import type { ToolCallEvent } from "../../../schemas/run/tool-call-event.ts";
import type { ToolHost } from "./tool-host.ts";
import { conductRun, type ReadResult } from "./conduct-run.ts";
import type { Ending } from "./ending.ts";
import { describeEnding, describeLogTruncation } from "./ending-diagnostics.ts";
import type { SandboxSource } from "./sandbox-engine.ts";
import { makeRunLog, type RunLog } from "./run-log.ts";
import { makeScriptPositions } from "./script-positions.ts";
import type { RunClock } from "./run-clock.ts";
import type { Timekeeper } from "./timekeeper.ts";
import { makeToolCallDispatcher, type ToolCallDispatcher } from "./tool-call-dispatcher.ts";

export interface RunOptions {
  toolHost: ToolHost;
  limits: RunLimits;
  pool: SandboxSource;
  /** What the script reads at `globalThis.__codemode_input__`; null unless given. */
  input?: JsonValue | undefined;
  /** The idempotency key of the run; empty unless given. */
  key?: string | undefined;
  /** Takes the place of parsing the whole JSON text of the result; undefined where it is no JSON. */
  readResult?: ReadResult | undefined;
  /** Called with every log entry as it happens. */
  onLog?: ((entry: LogEntry) => void) | undefined;
  /** Called at the start and the end of every tool call. */
  onToolCall?: ((event: ToolCallEvent) => void) | undefined;
  /** Called when the sandbox is there and gets the script, and when the script has ended. */
  onStart?: (() => void) | undefined;
  onEnd?: (() => void) | undefined;
  /** Called for a limit that ended the run, or truncated its log or result. */
  onLimit?: ((limit: keyof RunLimits) => void) | undefined;
  /** Cancels the run, its calls in flight too. */
  signal?: AbortSignal | undefined;
  /** On whose behalf it runs: a pool that reuses processes never shares one between two of these. A process of its own unless given. */
  trustDomain?: string | undefined;
  /** Can stop the time of the run. */
  clock?: RunClock | undefined;
  /** Makes the run repeatable. */
  timekeeper?: Timekeeper | undefined;
  /** For whom the hints of the answer are; a person unless given. */
  reader?: Reader | undefined;
}

/**
 * Runs a bundle once, in a fresh sandbox (specification 1.4), and gives the answer of section 3.3. It never rejects for what a script does;
 * it rejects with a `SandboxStartError` where this machine cannot start a sandbox at all.
 */
export function runBundle(bundle: Bundle, options: RunOptions): Promise<RunAnswer> {
  const { toolHost, limits, onToolCall } = options;
  return runWithDispatcher(bundle, makeToolCallDispatcher(toolHost, limits.maxToolCalls, onToolCall), options);
}

/** The same, with the calls taken by a dispatcher of the caller's. */
export async function runWithDispatcher(
  bundle: Bundle,
  dispatcher: ToolCallDispatcher,
  options: Omit<RunOptions, "toolHost" | "onToolCall">,
): Promise<RunAnswer> {
  const { pool, input = null, key = "", onLog, signal, timekeeper } = options;
  const limits = { ...options.limits, maxMemoryBytes: Math.min(options.limits.maxMemoryBytes, pool.maxMemoryBytes) };
  const positions = makeScriptPositions(bundle);
  const log = makeRunLog(limits.maxLogBytes, positions.translate, onLog);
  const sandbox = await pool.take(timekeeper === undefined ? options.trustDomain : undefined);
  options.onStart?.();
  const ending = await conductRun({
    ...{ sandbox, bundle, input, key, limits, log, dispatcher, signal, timekeeper },
    ...{ readResult: options.readResult, clock: options.clock },
  });
  options.onEnd?.();
  const waiting = dispatcher.waiting();
  dispatcher.close();
  if (options.onLimit !== undefined) for (const limit of limitsOf(ending, log)) options.onLimit(limit);
  return {
    logs: log.entries,
    result: ending.kind === "result" ? ending.value : null,
    diagnostics: [
      ...describeEnding(ending, { limits, positions, waiting, reader: options.reader ?? "person" }),
      ...(log.isTruncated() ? [describeLogTruncation(limits)] : []),
    ],
    toolTrace: dispatcher.trace(),
  };
}

function limitsOf(ending: Ending, log: RunLog): (keyof RunLimits)[] {
  const hasCutResult = ending.kind === "result" && ending.truncations.length > 0;
  return [
    ...(ending.kind === "limit" ? [ending.limit] : []),
    ...(hasCutResult ? (["maxResultBytes"] as const) : []),
    ...(log.isTruncated() ? (["maxLogBytes"] as const) : []),
  ];
}
