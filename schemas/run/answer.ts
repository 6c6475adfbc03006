import type { JsonValue } from "../json/json.ts";
import { oneLine } from "../json/escape-invisible.ts";

/** The answer of a run (specification 3.3). Every run gives one, even after a failure. */
export interface RunAnswer {
  logs: LogEntry[];
  /** `null` where the script set no result or failed. */
  result: JsonValue;
  diagnostics: Diagnostic[];
  toolTrace: ToolTraceEntry[];
  /** The idempotency key of the run, where its caller gave one (an extension). */
  key?: string;
  /** The id of a durable run, or of one that is not over (an extension). */
  runId?: string;
  /**
   * Of a run that failed: the tools, as `SERVER/TOOL`, whose calls were sent and may not be made a second time, because their servers do not say so
   * (an extension). Absent where there is none: then the script can run again.
   */
  unrepeatable?: string[];
}

export type LogLevel = "debug" | "log" | "warn" | "error";

/** One console call (specification 3.3.1). */
export interface LogEntry {
  level: LogLevel;
  message: string;
  /** Whole milliseconds since the sandbox started the script. */
  timeMs: number;
}

/** One performed or refused tool call, without its input and output (specification 3.3.2). */
export interface ToolTraceEntry {
  serverId: string;
  toolName: string;
  durationMs: number;
  ok: boolean;
  error?: string;
  /** What a person has changed of the call, where one was asked about it (an extension). */
  changed?: "input" | "result";
  /** In the answer to an agent: so many calls with this end, where they are more than one (an extension); `durationMs` is their sum. */
  calls?: number;
}

/** What a diagnostic is about. */
export type DiagnosticCode =
  | "ANSWER_UNUSED"
  | "APPROVAL_REQUIRED"
  | "AUDIT_FAILED"
  | "BUNDLE_FAILURE"
  | "CHECK_INCOMPLETE"
  | "CLOCK_CHANGED"
  | "DRY_RUN"
  | "HOST_MEMORY"
  | "IMPORT_FAILURE"
  | "INPUT_MISMATCH"
  | "INVALID_REQUEST"
  | "KEY_REUSED"
  | "LISTENER_FAILED"
  | "LOCK_DRIFT"
  | "MISSING_AWAIT"
  | "NUMBER_CHANGED"
  | "OUTPUT_MISMATCH"
  | "POLICY_DENIED"
  | "PROJECT_UNTRUSTED"
  | "QUEUE_FULL"
  | "RATE_LIMITED"
  | "REPLAY_DIVERGED"
  | "RESULT_MISSING"
  | "RESULT_SHAPE_NEW"
  | "RESULT_TRUNCATED"
  | "RESULT_UNSERIALIZABLE"
  | "RUN_CANCELLED"
  | "RUN_CONTINUES"
  | "RUN_LOST"
  | "SANDBOX_FAILURE"
  | "SANDBOX_LIMIT"
  | "SCRIPT_UNAVAILABLE"
  | "SERVER_UNAVAILABLE"
  | "SYNTAX_ERROR"
  | "TYPE_ERROR"
  | "UNCAUGHT_EXCEPTION"
  | "UNDO_INCOMPLETE"
  | "UNHANDLED_REJECTION";

/** One finding about a run (specification 3.3.3; the codes are the contract's). */
export interface Diagnostic {
  severity: "error" | "warning" | "info";
  code: DiagnosticCode;
  message: string;
  /** One action that fixes it. */
  hint?: string;
  /** `script.ts:LINE:COLUMN` in the author's source, both from 1. */
  path?: string;
  /** The class in `@codemode/errors`, where there is one. */
  errorClass?: string;
}

/** The exit code that an answer means on the command line: 3 for drift, 4 where a durable run waits for a person, 1 for any other failure. */
export function exitCodeOf(answer: RunAnswer): 0 | 1 | 3 | 4 {
  const errors = errorsOf(answer.diagnostics);
  if (errors.length === 0) return 0;
  if (answer.runId !== undefined && errors.some(({ code }) => code === "APPROVAL_REQUIRED")) return 4;
  return errors.some(({ code }) => code === "LOCK_DRIFT") ? 3 : 1;
}

/** The answer of a script that did not get to run. */
export function failedAnswer(diagnostics: Diagnostic[]): RunAnswer {
  return { logs: [], result: null, diagnostics, toolTrace: [] };
}

/** What is wrong and nothing else. */
export function errorsOf(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === "error");
}

/** What a caller can do: run the same script again, change something first, or do without. */
export type NextStep = "retry" | "fix" | "never";

/** Each code of an answer with the next step that it leaves. */
export const DIAGNOSTIC_CODES: Readonly<Record<DiagnosticCode, NextStep>> = {
  ANSWER_UNUSED: "never",
  APPROVAL_REQUIRED: "fix",
  AUDIT_FAILED: "fix",
  BUNDLE_FAILURE: "never",
  CHECK_INCOMPLETE: "fix",
  CLOCK_CHANGED: "fix",
  DRY_RUN: "never",
  HOST_MEMORY: "retry",
  IMPORT_FAILURE: "fix",
  INPUT_MISMATCH: "fix",
  INVALID_REQUEST: "fix",
  KEY_REUSED: "fix",
  LISTENER_FAILED: "fix",
  LOCK_DRIFT: "fix",
  MISSING_AWAIT: "fix",
  NUMBER_CHANGED: "fix",
  OUTPUT_MISMATCH: "fix",
  POLICY_DENIED: "never",
  PROJECT_UNTRUSTED: "fix",
  QUEUE_FULL: "retry",
  RATE_LIMITED: "retry",
  REPLAY_DIVERGED: "fix",
  RESULT_MISSING: "fix",
  RESULT_SHAPE_NEW: "never",
  RESULT_TRUNCATED: "fix",
  RESULT_UNSERIALIZABLE: "fix",
  RUN_CANCELLED: "retry",
  RUN_CONTINUES: "never",
  RUN_LOST: "fix",
  SANDBOX_FAILURE: "retry",
  SANDBOX_LIMIT: "fix",
  SCRIPT_UNAVAILABLE: "fix",
  SERVER_UNAVAILABLE: "retry",
  SYNTAX_ERROR: "fix",
  TYPE_ERROR: "fix",
  UNCAUGHT_EXCEPTION: "fix",
  UNDO_INCOMPLETE: "fix",
  UNHANDLED_REJECTION: "fix",
};

/**
 * What a caller can do about the answer of a failed run. `retry` only where each error passes by itself and no call was sent that may not be made
 * twice: a server that is away says nothing about the calls that another one has got.
 *
 * @example
 * import { nextStepOf, type RunAnswer } from "codemode";
 *
 * export const mayTryAgain = (answer: RunAnswer): boolean => nextStepOf(answer) === "retry";
 */
export function nextStepOf({
  diagnostics,
  unrepeatable = [],
}: Pick<RunAnswer, "diagnostics" | "unrepeatable">): NextStep {
  const errors = errorsOf(diagnostics);
  if (errors.length === 0) return "never";
  if (errors.every(isPassing)) return unrepeatable.length === 0 ? "retry" : "fix";
  return errors.some(({ code }) => DIAGNOSTIC_CODES[code] === "never") ? "never" : "fix";
}

/** A server that was not reached got no call, whether or not the script caught the error. */
function isPassing({ code, errorClass }: Diagnostic): boolean {
  return DIAGNOSTIC_CODES[code] === "retry" || errorClass === "ServerNotFoundError";
}

/** More of one script help no reader, and fill the context of an agent. */
export const MAX_DIAGNOSTICS = 50;

/** The first diagnostics of a script, with a last one that says how many more there are. */
export function capDiagnostics(diagnostics: Diagnostic[]): Diagnostic[] {
  const [next, ...others] = diagnostics.slice(MAX_DIAGNOSTICS);
  if (next === undefined || others.length === 0) return diagnostics;
  return [...diagnostics.slice(0, MAX_DIAGNOSTICS), describeMore(others.length + 1, next)];
}

/** Stands for so many diagnostics, of which this is the first. */
export function describeMore(count: number, { severity, code }: Pick<Diagnostic, "severity" | "code">): Diagnostic {
  return { severity, code, message: `And ${count} more findings.`, hint: "Fix the first ones, and try again." };
}

/** A diagnostic as lines for the terminal. */
export function printDiagnostic({ severity, path, code, message, hint }: Diagnostic): string[] {
  const place = path === undefined ? "" : `${path} `;
  return [
    `${severity}: ${place}${code}: ${oneLine(message)}`,
    ...(hint === undefined ? [] : [`hint: ${oneLine(hint)}`]),
  ];
}
