import { type Access, accessVerdict } from "../../schemas/access/access.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import type { Audience } from "../../schemas/audience.ts";
import { type Diagnostic, errorsOf } from "../../schemas/run/answer.ts";
import type { AnsweredBy, ApprovalVerdict, ApprovalWay, Approve, ToolToApprove } from "../../schemas/run/approval.ts";
import type { Manifest } from "../../schemas/run/bundle.ts";
import type { Emit, ReviewVerdict, RunEvent } from "../../schemas/run/events.ts";
import { describeMissingApproval } from "./checks/describe-missing-approval.ts";
import { approvalOf, seekApproval } from "./checks/seek-approval.ts";
import type { PendingReview } from "./pending-review.ts";

/** A call without a script, and who approves it. */
export interface OneCall {
  serverId: string;
  toolName: string;
  input: JsonValue;
  access: Access;
  approve: Approve;
  signal?: AbortSignal | undefined;
  /** For the events, like the next. */
  approvalBy?: ApprovalWay | undefined;
  emit?: Emit<RunEvent> | undefined;
}

export interface OneCallReview {
  /** For whom the hints of outcomes are. */
  audience: Audience;
  /** What has changed of these tools while a person was asked. */
  findNewDrift: (manifest: Manifest, access: Access) => Promise<Diagnostic[]>;
  pending: PendingReview;
}

/** Asks for the approval that the policy wants, and says what was granted. An error among the findings stops the call. */
export async function approveOneCall(
  { pending, findNewDrift, audience }: OneCallReview,
  { serverId, toolName, input, access, approve, signal, approvalBy, emit }: OneCall,
  { entry, tool, manifest }: { entry: ToolToApprove; tool: LockedTool; manifest: Manifest },
): Promise<{ granted: ToolToApprove[]; diagnostics: Diagnostic[] }> {
  const { integrity } = tool;
  const ofTool = accessVerdict(access, serverId, tool);
  const reviewed = (verdict: ReviewVerdict, by?: AnsweredBy): void =>
    emit?.({
      type: "reviewed",
      verdict,
      ...(verdict === "allowed" || verdict === "reserved" ? {} : approvalOf(by, approvalBy)),
      tools: () => [{ serverId, toolName, integrity, verdict: ofTool }],
    });
  // With `askEach` a person is asked when the call has passed all checks, unless its definition waits for one.
  if (ofTool !== "ask" && (ofTool !== "askEach" || tool.pending === undefined)) {
    reviewed("allowed");
    return { granted: [], diagnostics: [] };
  }
  const digest = integrityOf([serverId, toolName, integrity, input]);
  const tools = pending.withChanges([entry]);
  const { verdict, by } = await seekApproval({ tools, digest }, { approve, access }, signal);
  if (verdict !== "granted") {
    reviewed(verdict, by);
    const missing = describeRefusal(`${serverId}/${toolName}`, verdict, audience);
    return { granted: [], diagnostics: [pending.withWayOn(missing, tools)] };
  }
  const moved = await findNewDrift(manifest, access);
  const diagnostics = moved.length > 0 ? moved : await pending.accept(tools, manifest, access);
  reviewed(errorsOf(diagnostics).length > 0 ? "moved" : verdict, by);
  return { granted: [entry], diagnostics };
}

function describeRefusal(
  name: string,
  verdict: Exclude<ApprovalVerdict | "cancelled", "granted">,
  audience: Audience,
): Diagnostic {
  if (verdict === "cancelled") {
    return {
      severity: "error",
      code: "RUN_CANCELLED",
      message: "The call was cancelled",
      hint: "The caller cancelled it.",
    };
  }
  return describeMissingApproval({ kind: "call", tools: name }, verdict, audience);
}
