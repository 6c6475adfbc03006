import type { RunAnswer } from "./answer.ts";
import type { RunLimits } from "../config/config-file.ts";
import type { Bundle } from "./bundle.ts";
import type { Integrity } from "../lock/integrity.ts";
import type { JsonValue } from "../json/json.ts";
import type { ReplayableStart } from "./protocol.ts";
import type { ToolReply } from "../lock/tools.ts";

/** The format that this version writes and reads. */
export const RECORDING_VERSION = 1;

/** Everything that happened in one run, so that it can happen again without any server. */
export interface Recording {
  /** What recorded it. Another version of Node may word errors or print dates differently. */
  madeBy: { codemode: string; node: string };
  /** The name of the script, for instance `report.ts`. */
  script: string;
  /** What is redacted: glob patterns over names of JSON members. */
  redact: readonly string[];
  /** The servers of the bundle's manifest, as they were locked. */
  servers: { [serverId: string]: Integrity };
  start: ReplayableStart;
  input: JsonValue;
  /** The idempotency key of the run. */
  key?: string;
  limits: RunLimits;
  bundle: Bundle;
  /** In the order in which they were made; the first one is call 1. Questions to `@codemode/discovery` are calls too. */
  calls: readonly RecordedCall[];
  /** What the script heard, in the order in which it did. */
  events: readonly RecordedEvent[];
  /** What the run came to. */
  answer: RunAnswer;
  ending: RecordedEnding;
}

/** How a run ended: by itself, at a limit, or from outside. */
export type RecordedEnding = "result" | "failure" | "broken" | "cancelled" | keyof RunLimits;

/** Whether a run was cut off at a moment that no replay can hit exactly. */
export function wasCutOff(ending: RecordedEnding): boolean {
  return ending === "cancelled" || ending === "timeoutMs" || ending === "maxMemoryBytes" || ending === "broken";
}

/** A call with its times, in milliseconds since the start of the run. */
export interface RecordedCall {
  serverId: string;
  toolName: string;
  input: JsonValue;
  startMs: number;
  /** Both absent where the run ended before the call did. */
  endMs?: number;
  reply?: ToolReply;
}

/** The reply to a call reached the script, or a timer fired, at that time of the script's clock. Both are counted from 1. */
export type RecordedEvent = { timeMs: number; call: number } | { timeMs: number; timer: number };
