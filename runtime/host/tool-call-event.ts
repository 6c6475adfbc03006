import type { ToolTraceEntry } from "../../schemas/run/answer.ts";

/** The start or the end of a tool call, as it happens; without input and output, as in the trace. `number` counts the calls of a run from 1. */
export type ToolCallEvent =
  | { kind: "started"; serverId: string; toolName: string; number: number }
  | { kind: "ended"; entry: ToolTraceEntry; number: number };
