import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { ownValue } from "../../schemas/json/json.ts";
import type { InspectedTool } from "../../engine/inspect-script.ts";

/** What a script may call, as lines for the terminal: one tool on each, with what the policy says of it. */
export function printManifest(tools: readonly InspectedTool[]): string[] {
  if (tools.length === 0) return ["Calls no tool."];
  const names = tools.map(({ serverId, toolName }) => oneLine(`${serverId}/${toolName}`));
  const width = Math.max(...names.map((name) => name.length));
  const rows = tools.map((tool, index) =>
    [`  ${tool.policy.padEnd(5)}`, names[index]?.padEnd(width), tool.integrity, ...claimsOf(tool)].join("  "),
  );
  return [`May call ${tools.length === 1 ? "1 tool" : `${tools.length} tools`}:`, ...rows];
}

/** Only what makes a call harmless or dangerous is worth its room. */
function claimsOf({ annotations = {} }: InspectedTool): string[] {
  const isReadOnly = ownValue(annotations, "readOnlyHint") === true;
  if (isReadOnly) return ["read-only"];
  return ownValue(annotations, "destructiveHint") === true ? ["destructive"] : [];
}
