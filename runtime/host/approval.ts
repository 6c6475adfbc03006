import type { JsonObject } from "../../schemas/json.ts";

/** What a person is asked before a script runs: may it call these tools, as often as it likes, in this run alone. */
export interface ApprovalRequest {
  /** Those of the manifest for which the policy says `ask`, sorted by server and tool. */
  tools: readonly ToolToApprove[];
  /** Over the code of the bundle and its whole manifest: an approval is for exactly this script, which gets a process of its own. */
  digest: string;
}

export interface ToolToApprove {
  serverId: string;
  toolName: string;
  annotations?: JsonObject;
}

/** `unavailable` where nobody can be asked. */
export type ApprovalVerdict = "granted" | "refused" | "unavailable";

export type Approve = (request: ApprovalRequest) => Promise<ApprovalVerdict>;
