import type { Policy, ToolFilter } from "../config/config-file.ts";
import { matchesAny, mayMatchAfter } from "./glob.ts";
import { isJsonObject, ownValue } from "../json/json.ts";
import type { Claims, LockedTool } from "../lock/lockfile.ts";
import { TAKES_RUN_KEY } from "../run/run-key.ts";
import { LIST_RESOURCES, listOfName, READ_RESOURCE, RESOURCE_PREFIX } from "../lock/operations.ts";

export type PolicyVerdict = "allow" | "ask" | "askEach" | "deny";

const STRICTNESS: Record<PolicyVerdict, number> = { allow: 0, ask: 1, askEach: 2, deny: 3 };

/** Tells whether one verdict lets through more than another. */
export function isLooser(verdict: PolicyVerdict, than: PolicyVerdict): boolean {
  return STRICTNESS[verdict] < STRICTNESS[than];
}

/** What a policy looks at: the name, and what the server claims of the tool. */
export type EvaluatedTool = Pick<LockedTool, "name" | "annotations" | "pending">;

/**
 * What a policy says of a call; a tool that no pattern names is denied. An operation on many resources (`read`, a template) is denied as a
 * whole if a pattern names it, and needs approval or is allowed if that holds for any of its resources: each call is looked at again.
 */
export function policyVerdict(policy: Policy, serverId: string, tool: EvaluatedTool): PolicyVerdict {
  if (matchesTool(policy.deny, serverId, tool)) return "deny";
  if (policy.askEach !== undefined && mayMatch(policy.askEach, serverId, tool)) return "askEach";
  if (mayMatch(policy.ask, serverId, tool)) return "ask";
  return mayMatch(policy.allow, serverId, tool) ? "allow" : "deny";
}

function mayMatch(patterns: readonly string[], serverId: string, tool: EvaluatedTool): boolean {
  const start = startOfResources(tool.name);
  const isReached = start !== undefined && mayMatchAfter(`${serverId}/${start}`, patterns.filter(isNamePattern));
  return isReached || matchesTool(patterns, serverId, tool);
}

/** How the names of all resources begin that an operation can be about; undefined for anything that is about itself alone. */
function startOfResources(name: string): string | undefined {
  if (name === LIST_RESOURCES || name === READ_RESOURCE) return RESOURCE_PREFIX;
  return listOfName(name) === "resources" && name.includes("{") ? name.slice(0, name.indexOf("{")) : undefined;
}

function isNamePattern(pattern: string): boolean {
  return parseClaim(pattern) === undefined;
}

/** What several policies together say of a call: the strictest of them decides. */
export function strictestVerdict(policies: readonly Policy[], serverId: string, tool: EvaluatedTool): PolicyVerdict {
  return strictest(policies.map((policy) => policyVerdict(policy, serverId, tool)));
}

/** The strictest of some verdicts; `allow` where there are none. */
export function strictest(verdicts: readonly PolicyVerdict[]): PolicyVerdict {
  return verdicts.reduce((found, verdict) => (isLooser(found, verdict) ? verdict : found), "allow");
}

/** Tells whether one of the patterns means the tool: globs over `serverId/name`, `@readOnly`, or `serverId/@readOnly`. */
export function matchesTool(patterns: readonly string[], serverId: string, tool: EvaluatedTool): boolean {
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
export const CLAIM_WORDS = ["readOnly", "destructive", "idempotent", "openWorld"] as const satisfies (keyof Claims)[];

export type ClaimWord = keyof Claims;

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
export function readClaims({ annotations, pending }: Pick<EvaluatedTool, "annotations" | "pending">): Claims {
  if (pending !== undefined) return pending;
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
export function isReadOnly(tool: Pick<EvaluatedTool, "annotations" | "pending">): boolean {
  return readClaims(tool).readOnly;
}

/** Tells whether a call may be sent twice: its server says that the tool only reads, can be repeated, or knows a call that comes again. */
export function isRepeatable(tool: Pick<EvaluatedTool, "annotations" | "pending">): boolean {
  const { readOnly, idempotent } = readClaims(tool);
  const { annotations } = tool;
  return readOnly || idempotent || (isJsonObject(annotations) && ownValue(annotations, TAKES_RUN_KEY) === true);
}

/** Tells whether the configuration shows a tool of its server at all. */
export function isToolIncluded(filter: ToolFilter, toolName: string): boolean {
  if (filter.include.length > 0 && !matchesAny(toolName, filter.include)) return false;
  return !matchesAny(toolName, filter.exclude);
}
