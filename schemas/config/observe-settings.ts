/** What is logged at most: `info` logs warnings and errors too. */
export type LogThreshold = "silent" | "error" | "warn" | "info" | "debug";

export const LOG_THRESHOLDS: readonly LogThreshold[] = ["silent", "error", "warn", "info", "debug"];

/** How `codemode serve` logs. */
export interface LogSettings {
  /** Absent where the command decides. */
  level?: LogThreshold;
}

/** What of calls and results is written into the audit log: nothing, what scripts sent to tools, or what came back too. */
export type AuditPayloads = false | "inputs" | "all";

/** `audit` of the configuration as written. */
export interface AuditEntry {
  file: string;
  required?: boolean;
  payloads?: AuditPayloads;
  maxPayloadBytes?: number;
  redact?: string[];
}

/** Where it is written down who ran what. */
export interface AuditSettings {
  /** Relative to the project folder. */
  file: string;
  /** Whether nothing runs, and no call is made, that cannot be written down. */
  required: boolean;
  payloads: AuditPayloads;
  /** The longest payload, as JSON. For a longer one only the size is written. */
  maxPayloadBytes: number;
  /** Glob patterns over the names of values that are left out of payloads. */
  redact: readonly string[];
}

/** Data for an OpenTelemetry SDK that is loaded together with codemode. */
export interface TelemetrySettings {
  /** Whether spans carry the arguments and results of tools. */
  payloads: boolean;
}

const DEFAULT_MAX_PAYLOAD_BYTES = 16 * 1024;

/** Fills in the defaults of a checked configuration. */
export function toAuditSettings(entry: AuditEntry): AuditSettings {
  const { file, required = false, payloads = false, redact = [] } = entry;
  return { file, required, payloads, redact, maxPayloadBytes: entry.maxPayloadBytes ?? DEFAULT_MAX_PAYLOAD_BYTES };
}
