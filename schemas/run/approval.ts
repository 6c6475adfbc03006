import type { DefinitionChange } from "../diff/diff-lockfiles.ts";
import type { JsonObject } from "../json/json.ts";

/** What a person is asked before a script runs: may it call these tools, as often as it likes, in this run alone. */
export interface ApprovalRequest {
  /** Those of the manifest for which the policy says `ask`, sorted by server and tool. */
  tools: readonly ToolToApprove[];
  /** Another question: may this be started from now on, on this account. One line for each, safe to be shown. Then there are no tools. */
  starts?: readonly string[];
  /**
   * Over the code of the bundle and its whole manifest: an approval is for exactly this script, which gets a process of its own. With
   * `starts`, over those.
   */
  digest: string;
}

/** A tool for which the policy says `ask`, with what its server claims of it. */
export interface ToolToApprove {
  serverId: string;
  toolName: string;
  annotations?: JsonObject;
  /** Set if no person has accepted it yet: how it differs from what is locked. An approval locks exactly this definition. */
  change?: DefinitionChange;
}

/**
 * `closed`: the question came back without an answer. `unavailable`: the client can show no question. `reserved`: the caller's client
 * may not answer it (`mayApprove` of an `Access`).
 */
export type ApprovalVerdict = "granted" | "refused" | "closed" | "unavailable" | "reserved";

export type Approve = (request: ApprovalRequest) => Promise<ApprovalVerdict>;
