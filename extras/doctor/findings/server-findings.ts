import { CHANGE_SEVERITY_NAMES } from "../../../schemas/diff/change.ts";
import type { Finding } from "../doctor-report.ts";
import type { ServerFacts } from "../probes/probe-servers.ts";
import { countOf } from "../../../schemas/text/count-of.ts";
import { printMilliseconds } from "./print-amounts.ts";

export function evaluateServers(servers: readonly ServerFacts[]): Finding[] {
  return servers.map(evaluateServer);
}

function evaluateServer(facts: ServerFacts): Finding {
  const { id: serverId, transport } = facts;
  const finding = { id: `server.${serverId}`, subject: serverId };
  if (!facts.ok) {
    const { failure, hint } = facts;
    return { ...finding, status: "problem", found: failure, hint, facts: { transport, starts: false } };
  }
  const { startMs, listMs, live, dropped, change, isLocked } = facts;
  const found = [
    `ready in ${printMilliseconds(startMs)}`,
    `${countOf(live.tools.length, "tool")} in ${printMilliseconds(listMs)}`,
    `MCP ${live.protocolVersion}`,
    ...(change === undefined ? [] : [printDrift(facts)]),
    ...(isLocked ? [] : ["not locked"]),
    ...(dropped === 0 ? [] : [`${dropped} of its list cannot be used`]),
  ].join(", ");
  const known = {
    transport,
    starts: true,
    startMs: Math.round(startMs),
    listMs: Math.round(listMs),
    tools: live.tools.length,
    dropped,
    protocolVersion: live.protocolVersion,
    era: live.era,
    drift: change?.severity ?? "none",
    isLocked,
  };
  if (change !== undefined) {
    const hint = `\`codemode diff ${serverId}\` shows what changed; \`codemode lock ${serverId}\` accepts it.`;
    return { ...finding, status: "warning", found, hint, facts: known };
  }
  if (!isLocked)
    return { ...finding, status: "warning", found, hint: `Run \`codemode lock ${serverId}\`.`, facts: known };
  if (dropped > 0) {
    return { ...finding, status: "warning", found, hint: `\`codemode lock ${serverId}\` names them.`, facts: known };
  }
  return { ...finding, status: "ok", found, facts: known };
}

function printDrift({ change }: ServerFacts & { ok: true }): string {
  if (change === undefined) return "";
  const { severity, toolsAdded, toolsRemoved, toolsChanged } = change;
  const parts = [
    ...(toolsAdded.length === 0 ? [] : [`${toolsAdded.length} added`]),
    ...(toolsRemoved.length === 0 ? [] : [`${toolsRemoved.length} removed`]),
    ...(toolsChanged.length === 0 ? [] : [`${toolsChanged.length} changed`]),
  ];
  const tools = parts.length === 0 ? "" : `: tools ${parts.join(", ")}`;
  return `drifted (${CHANGE_SEVERITY_NAMES[severity]})${tools}`;
}
