import type { AuditEntry, AuditSettings, LogThreshold } from "./config-file.ts";

export const LOG_THRESHOLDS: readonly LogThreshold[] = ["silent", "error", "warn", "info", "debug"];

const DEFAULT_MAX_PAYLOAD_BYTES = 16 * 1024;

/** Fills in the defaults of a checked configuration. */
export function toAuditSettings(entry: AuditEntry): AuditSettings {
  const { file, required = false, payloads = false, redact = [] } = entry;
  return { file, required, payloads, redact, maxPayloadBytes: entry.maxPayloadBytes ?? DEFAULT_MAX_PAYLOAD_BYTES };
}
