import type { ApprovalRequest, ApprovalVerdict, Approve } from "./approval.ts";

/** Asks, and waits no longer than the run does. Whoever fails to ask has not been told yes. */
export function seekApproval(
  request: ApprovalRequest,
  approve: Approve,
  signal: AbortSignal | undefined,
): Promise<ApprovalVerdict | "cancelled"> {
  return new Promise((resolve) => {
    const cancel = (): void => resolve("cancelled");
    if (signal?.aborted === true) return cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    const asking = Promise.resolve(request)
      .then(approve)
      .catch((): ApprovalVerdict => "unavailable");
    void asking.then(resolve).finally(() => signal?.removeEventListener("abort", cancel));
  });
}
