import type { ToolCall } from "../lock/tools.ts";
import type { ToolTraceEntry } from "./answer.ts";

/** The start or the end of a tool call, as it happens; without input and output, as in the trace. `number` counts the calls of a run from 1. */
export type ToolCallEvent =
  | { kind: "started"; serverId: string; toolName: string; number: number }
  | { kind: "ended"; entry: ToolTraceEntry; number: number };

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
