import type { Access } from "../../../schemas/access/access.ts";
import type {
  AnsweredBy,
  ApprovalRequest,
  ApprovalVerdict,
  Approve,
  CallDecision,
  ApprovalWay,
} from "../../../schemas/run/approval.ts";

/** Whom a question is put to. */
export interface Approvers {
  /** The caller's own client, if it may answer (`access`). */
  approve: Approve;
  access: Pick<Access, "mayApprove">;
  /** Otherwise the person who runs the host, where there is a way to ask. */
  askOperator?: Approve | undefined;
}

/** What came of asking, and how a person has answered where the answer says so. */
export interface Sought {
  verdict: ApprovalVerdict | "cancelled";
  by?: AnsweredBy | undefined;
}

/** Asks about a script, or one tool. What decides about a single call decides nothing here. */
export async function seekApproval(
  request: ApprovalRequest,
  approvers: Approvers,
  signal: AbortSignal | undefined,
): Promise<Sought> {
  const decision = await seekDecision(request, approvers, signal);
  if (typeof decision === "string") return { verdict: decision };
  const { verdict, by } = decision;
  return { verdict: verdict === "granted" || verdict === "refused" ? verdict : "closed", by };
}

/** How a person has answered, for the events of a run; `usual` is how the one who asks gets its answers. */
export function approvalOf(by: AnsweredBy | undefined, usual: ApprovalWay | undefined) {
  return { approvalBy: by?.way ?? usual, approvalName: by?.name };
}

/** What asks in the same way, while the script runs. */
export function inRun(ask: Approve): Approve {
  return (asked) => ask(asked, {});
}

/** Asks who may answer, and waits no longer than the run does. A question that fails is no approval. */
export function seekDecision(
  request: ApprovalRequest,
  { approve, access, askOperator }: Approvers,
  signal: AbortSignal | undefined,
): Promise<ApprovalVerdict | CallDecision | "cancelled"> {
  return new Promise((resolve) => {
    const cancel = (): void => resolve("cancelled");
    if (signal?.aborted === true) return cancel();
    const ask = access.mayApprove ? approve : askOperator;
    if (ask === undefined) return resolve("reserved");
    signal?.addEventListener("abort", cancel, { once: true });
    const asking = Promise.resolve(request)
      .then(ask)
      .catch((): ApprovalVerdict => "unavailable");
    void asking.then(resolve).finally(() => signal?.removeEventListener("abort", cancel));
  });
}
