import type { Policy } from "../config/policy-settings.ts";
import type { LockedTool } from "../lock/lockfile.ts";
import { CLAIM_WORDS, policyVerdict, readClaims } from "../access/policy.ts";
import { type Change, makeChange } from "./change.ts";

/** The policy that a change is looked at with, and the server of the tool. */
export interface PolicyView {
  serverId: string;
  policy: Policy;
}

/**
 * Compares the annotations of a tool. A claim that policies can name is of class `policy`; anything else in annotations is words.
 * @param view adds what the policy says before and after
 */
export function compareAnnotations(
  before: LockedTool,
  after: LockedTool,
  pointer: string,
  view: PolicyView | undefined,
): Change[] {
  if (JSON.stringify(before.annotations) === JSON.stringify(after.annotations)) return [];
  const [old, now] = [readClaims(before), readClaims(after)];
  const words = CLAIM_WORDS.filter((word) => old[word] !== now[word]);
  if (words.length === 0)
    return [makeChange("text", pointer, "annotations changed", before.annotations, after.annotations)];
  const summary = words.map((word) => `${now[word] ? "now" : "no longer"} @${word}`).join(", ");
  const change = makeChange("policy", pointer, summary, before.annotations, after.annotations);
  if (view === undefined) return [change];
  const verdictOf = (tool: LockedTool) => policyVerdict(view.policy, view.serverId, tool);
  return [{ ...change, verdict: { before: verdictOf(before), after: verdictOf(after) } }];
}
