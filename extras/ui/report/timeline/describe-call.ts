import type { CallFate, ReportedCall } from "../run-report.ts";
import type { PolicyVerdict } from "../../../../schemas/access/policy.ts";
import { formatBytes, formatDuration } from "../format/format-amounts.ts";

export const OUTCOMES: Readonly<Record<CallFate, string>> = {
  ok: "ok",
  failed: "failed",
  refused: "refused",
  skipped: "skipped",
  unfinished: "not finished",
};

export const VERDICTS: Readonly<Record<PolicyVerdict, string>> = {
  allow: "allowed",
  ask: "allowed with approval",
  askEach: "allowed with approval of each call",
  deny: "denied",
};

/** A call in one sentence, for who cannot see its bar. */
export function describeCall(call: ReportedCall): string {
  const { number, serverId, toolName, startMs, endMs, outcome, output } = call;
  const time = endMs === undefined ? "" : `, took ${formatDuration(endMs - startMs)}`;
  const size = output === undefined ? "" : `, gave ${formatBytes(output.bytes)}`;
  const start = `starts at ${formatDuration(startMs)}`;
  return `Call ${number}: ${toolName} of ${serverId}, ${start}${time}, ${OUTCOMES[outcome]}${size}`;
}
