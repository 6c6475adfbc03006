import type { ToolCall } from "../lock/tools.ts";
import type { ToolTraceEntry } from "./answer.ts";

/**
 * The start or the end of a tool call, as it happens, and in between what its server reports; without input and output, as in the trace.
 * `number` counts the calls of a run from 1.
 */
export type ToolCallEvent =
  | { kind: "started"; serverId: string; toolName: string; number: number }
  | ({ serverId: string; toolName: string; number: number } & CallSign)
  | { kind: "ended"; entry: ToolTraceEntry; number: number };

/** What a server says while it works on a call, on one line: its own words. A log message may belong to another call of the same person. */
export type CallSign =
  /** Increases with each report of a call. */
  | { kind: "progress"; progress: number; total?: number; message?: string }
  | { kind: "log"; level: ServerLogLevel; text: string };

/** Those of MCP. */
export type ServerLogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

export type OnCallSign = (sign: CallSign) => void;

/** A call of a dry run: admitted, and not made. */
export interface SkippedCall extends ToolCall {
  /** Counts the skipped calls of a run, from 1. */
  number: number;
}

/** Asks for a dry run. */
export interface DryRunRequest {
  /** Called for each call that a real run would make. */
  onSkipped?: (call: SkippedCall) => void;
}
