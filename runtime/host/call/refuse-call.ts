import type { ApprovalVerdict } from "../../../schemas/run/approval.ts";
import { describeMissingApproval } from "../checks/describe-missing-approval.ts";
import { toRefusal } from "../checks/refuse.ts";
import type { CallHost, Run } from "../run.ts";
import type { CallError } from "../../../schemas/lock/tools.ts";

type Refused = { verdict: "refused"; reason?: string } | Exclude<ApprovalVerdict, "granted"> | "cancelled";

/** The error of a call that a person has refused, or that got no approval. The answer of the run says so too. */
export function refuseCall(
  name: string,
  decision: Refused,
  { audience }: Pick<CallHost, "audience">,
  { report }: Pick<Run, "report">,
): CallError {
  // Without a reason it may be a client of an agent that shows no form, and declines in place of a person.
  if (typeof decision === "object" && (decision.reason !== undefined || audience !== "agent")) {
    const { reason = "" } = decision;
    const message = `A person has refused this call of ${name}${reason === "" ? "." : `: ${reason}`}`;
    const hint = "Do not make it again. Do without it, or ask the user first.";
    return toRefusal("ApprovalRefusedError", message, hint, { reason });
  }
  if (decision === "cancelled") return toRefusal("ToolCallError", "The run was cancelled.", "Run it again.");
  const verdict = typeof decision === "object" ? decision.verdict : decision;
  const {
    message,
    hint = "Do without it.",
    ...missing
  } = describeMissingApproval({ kind: "each", tools: name }, verdict, audience);
  report({ ...missing, message, hint, severity: "warning", errorClass: "ApprovalRefusedError" });
  return toRefusal("ApprovalRefusedError", message, hint, { reason: "" });
}
