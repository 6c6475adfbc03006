import type { Policy, ToolFilter } from "./config.ts";
import { matchesAny } from "./glob.ts";

export type PolicyVerdict = "allow" | "ask" | "deny";

/** What the policy says of a call; a tool that no pattern names is denied. */
export function policyVerdict(policy: Policy, serverId: string, toolName: string): PolicyVerdict {
  const name = `${serverId}/${toolName}`;
  if (matchesAny(name, policy.deny)) return "deny";
  if (matchesAny(name, policy.ask)) return "ask";
  return matchesAny(name, policy.allow) ? "allow" : "deny";
}

/** Tells whether the configuration shows a tool of its server at all. */
export function isToolIncluded(filter: ToolFilter, toolName: string): boolean {
  if (filter.include.length > 0 && !matchesAny(toolName, filter.include)) return false;
  return !matchesAny(toolName, filter.exclude);
}
