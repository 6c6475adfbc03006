import type { Access } from "../../../schemas/access/access.ts";
import type { ApprovalRequest, ApprovalVerdict, Approve } from "../../../schemas/run/approval.ts";

/** Asks if the caller may answer, and waits no longer than the run does. A question that fails is no consent. */
export function seekApproval(
  request: ApprovalRequest,
  { approve, access }: { approve: Approve; access: Pick<Access, "mayApprove"> },
  signal: AbortSignal | undefined,
): Promise<ApprovalVerdict | "cancelled"> {
  return new Promise((resolve) => {
    const cancel = (): void => resolve("cancelled");
    if (signal?.aborted === true) return cancel();
    if (!access.mayApprove) return resolve("reserved");
    signal?.addEventListener("abort", cancel, { once: true });
    const asking = Promise.resolve(request)
      .then(approve)
      .catch((): ApprovalVerdict => "unavailable");
    void asking.then(resolve).finally(() => signal?.removeEventListener("abort", cancel));
  });
}
