import type { LogEntry, RunAnswer } from "../../../schemas/run/answer.ts";
import type { RunLimits } from "../../../schemas/config/config-file.ts";
import type { Bundle } from "../../../schemas/run/bundle.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { Audience } from "../../../schemas/audience.ts";
import type { Emit, RunEvent } from "../../../schemas/run/events.ts";
import { describeEnding, describeLogTruncation, type Ending } from "./ending-diagnostics.ts";
import type { SandboxSource } from "./sandbox-engine.ts";
import { makeRunLog, type RunLog } from "./run-log.ts";
import { makeScriptPositions } from "./script-positions.ts";
import type { RunClock } from "./run-clock.ts";
import type { Timekeeper } from "./timekeeper.ts";
import type { HandleCall } from "./handle-call.ts";
import { makeToolCallDispatcher, type ToolCallDispatcher } from "./tool-call-dispatcher.ts";
import { type ReadResult, executeRun } from "./execute-run.ts";

export interface SandboxRun {
  /** What the calls of the script get. */
  handleCall: HandleCall;
  limits: RunLimits;
  pool: SandboxSource;
  /** What the script reads at `globalThis.__codemode_input__`; null unless given. */
  input?: JsonValue | undefined;
  /** The idempotency key of the run; empty unless given. */
  key?: string | undefined;
  /** Takes the place of parsing the whole JSON text of the result; undefined where it is no JSON. */
  readResult?: ReadResult | undefined;
  /** Receives what happens meanwhile. */
  emit?: Emit<RunEvent> | undefined;
  /** Whether servers are asked for reports on their calls. */
  wantsProgress?: boolean | undefined;
  /** Cancels the run, its calls in flight too. */
  signal?: AbortSignal | undefined;
  /** On whose behalf it runs: a pool that reuses processes never shares one between two of these. A process of its own unless given. */
  trustDomain?: string | undefined;
  /** Can stop the time of the run. */
  clock?: RunClock | undefined;
  /** Makes the run repeatable. */
  timekeeper?: Timekeeper | undefined;
  /** For whom the hints of the answer are; a person unless given. */
  audience?: Audience | undefined;
  /** Whether each call comes with its place in the script. */
  notesPlaces?: boolean | undefined;
}

/**
 * Runs a bundle once, in a fresh sandbox (specification 1.4), and gives the answer of section 3.3. It never rejects for what a script does;
 * it rejects with a `SandboxStartError` where this machine cannot start a sandbox at all.
 */
export function runBundle(bundle: Bundle, options: SandboxRun): Promise<RunAnswer> {
  const { handleCall, limits, emit, wantsProgress } = options;
  const dispatcher = makeToolCallDispatcher(handleCall, limits.maxToolCalls, emit, wantsProgress);
  return runWithDispatcher(bundle, dispatcher, options);
}

/** The same, with the calls taken by a dispatcher of the caller's. */
export async function runWithDispatcher(
  bundle: Bundle,
  dispatcher: ToolCallDispatcher,
  options: Omit<SandboxRun, "handleCall">,
): Promise<RunAnswer> {
  const { pool, input = null, key = "", emit, signal, timekeeper } = options;
  const limits = { ...options.limits, maxMemoryBytes: Math.min(options.limits.maxMemoryBytes, pool.maxMemoryBytes) };
  const positions = makeScriptPositions(bundle);
  const onLog = emit && ((entry: LogEntry) => emit({ type: "log", entry: { ...entry } }));
  const log = makeRunLog(limits.maxLogBytes, positions.translate, onLog);
  const sandbox = await pool.take(domainOf(options));
  emit?.({ type: "script-started" });
  const ending = await executeRun({
    ...{ sandbox, bundle, input, key, limits, log, dispatcher, signal, timekeeper },
    ...{ readResult: options.readResult, clock: options.clock },
    pathOf: options.notesPlaces === true ? positions.pathOf : undefined,
  });
  emit?.({ type: "script-ended", limits: limitsOf(ending, log) });
  const waiting = dispatcher.waiting();
  dispatcher.close();
  return {
    logs: log.entries,
    result: ending.kind === "result" ? ending.value : null,
    diagnostics: [
      ...describeEnding(ending, {
        limits,
        positions,
        waiting,
        audience: options.audience ?? "person",
        tools: bundle.manifest.tools,
      }),
      ...(log.isTruncated() ? [describeLogTruncation(limits)] : []),
    ],
    toolTrace: dispatcher.trace(),
  };
}

/** A repeatable run sets the time zone of its process to UTC, so that such a process serves repeatable runs alone. */
function domainOf({ trustDomain, timekeeper }: Pick<SandboxRun, "trustDomain" | "timekeeper">): string | undefined {
  return timekeeper === undefined || trustDomain === undefined ? trustDomain : `${trustDomain}\nrepeatable`;
}

function limitsOf(ending: Ending, log: RunLog): (keyof RunLimits)[] {
  const hasCutResult = ending.kind === "result" && ending.truncations.length > 0;
  return [
    ...(ending.kind === "limit" ? [ending.limit] : []),
    ...(hasCutResult ? (["maxResultBytes"] as const) : []),
    ...(log.isTruncated() ? (["maxLogBytes"] as const) : []),
  ];
}
