import type { ToolFilter } from "../config/config.ts";
import type { Policy } from "../config/policy-settings.ts";
import { matchesAny } from "./glob.ts";
import { isJsonObject, ownValue } from "../json/json.ts";
import type { LockedTool } from "../lock/lockfile.ts";

export type PolicyVerdict = "allow" | "ask" | "deny";

const STRICTNESS: Record<PolicyVerdict, number> = { allow: 0, ask: 1, deny: 2 };

/** Tells whether one verdict lets through more than another. */
export function isLooser(verdict: PolicyVerdict, than: PolicyVerdict): boolean {
  return STRICTNESS[verdict] < STRICTNESS[than];
}

/** What a policy looks at: the name, and what the server claims of the tool. */
export type JudgedTool = Pick<LockedTool, "name" | "annotations">;

/** What a policy says of a call; a tool that no pattern names is denied. */
export function policyVerdict(policy: Policy, serverId: string, tool: JudgedTool): PolicyVerdict {
  if (matchesTool(policy.deny, serverId, tool)) return "deny";
  if (matchesTool(policy.ask, serverId, tool)) return "ask";
  return matchesTool(policy.allow, serverId, tool) ? "allow" : "deny";
}

/** What several policies together say of a call: the strictest of them decides. */
export function strictestVerdict(policies: readonly Policy[], serverId: string, tool: JudgedTool): PolicyVerdict {
  const verdicts = policies.map((policy) => policyVerdict(policy, serverId, tool));
  return verdicts.reduce((strictest, verdict) => (isLooser(strictest, verdict) ? verdict : strictest), "allow");
}

/** Tells whether one of the patterns means the tool: globs over `serverId/toolName`, `@readOnly`, or `serverId/@readOnly`. */
export function matchesTool(patterns: readonly string[], serverId: string, tool: JudgedTool): boolean {
  return patterns.some((pattern) => {
    const claim = parseClaim(pattern);
    if (claim === undefined) return matchesAny(`${serverId}/${tool.name}`, [pattern]);
    const claims = readClaims(tool);
    return matchesAny(serverId, [claim.servers]) && isClaimWord(claim.word) && claims[claim.word];
  });
}

/** The patterns that name an annotation which does not exist: `@readonly`. */
export function unknownClaims(patterns: readonly string[]): string[] {
  return patterns.filter((pattern) => {
    const claim = parseClaim(pattern);
    return claim !== undefined && !isClaimWord(claim.word);
  });
}

/** The annotations that a pattern can name. */
export const CLAIM_WORDS = ["readOnly", "destructive", "idempotent", "openWorld"] as const;

export type ClaimWord = (typeof CLAIM_WORDS)[number];

function isClaimWord(word: string): word is ClaimWord {
  return (CLAIM_WORDS as readonly string[]).includes(word);
}

function parseClaim(pattern: string): { servers: string; word: string } | undefined {
  const [, servers = "*", word] = /^(?:([^/]*)\/)?@(.*)$/s.exec(pattern) ?? [];
  return word === undefined ? undefined : { servers, word };
}

/**
 * What a server claims of its tool. A hint that is absent, or no boolean, has the default of the MCP specification
 * (ToolAnnotations, 2025-11-25), which is the careful one; what only reads destroys nothing.
 */
export function readClaims({ annotations }: Pick<JudgedTool, "annotations">): Record<ClaimWord, boolean> {
  const hints = isJsonObject(annotations) ? annotations : {};
  const readOnly = ownValue(hints, "readOnlyHint") === true;
  return {
    readOnly,
    destructive: !readOnly && ownValue(hints, "destructiveHint") !== false,
    idempotent: ownValue(hints, "idempotentHint") === true,
    openWorld: ownValue(hints, "openWorldHint") !== false,
  };
}

/** Tells whether the server claims that the tool only reads. */
export function isReadOnly(tool: Pick<JudgedTool, "annotations">): boolean {
  return readClaims(tool).readOnly;
}

/** Tells whether the configuration shows a tool of its server at all. */
export function isToolIncluded(filter: ToolFilter, toolName: string): boolean {
  if (filter.include.length > 0 && !matchesAny(toolName, filter.include)) return false;
  return !matchesAny(toolName, filter.exclude);
}
