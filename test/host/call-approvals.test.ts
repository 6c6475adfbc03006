import { expect, test } from "vitest";
import { makeCallApprovals } from "../../runtime/host/call-approvals.ts";
import type { Admitted } from "../../runtime/host/checks/admit-call.ts";
import type { Audience } from "../../schemas/audience.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { ApprovalVerdict, CallDecision } from "../../schemas/run/approval.ts";

const ADMITTED = { tool: { name: "write", integrity: "sha256-x" }, input: {} } as unknown as Admitted;

/** What a script hears of a call about which this was decided, and what its answer says. */
async function seek(decision: ApprovalVerdict | CallDecision, audience: Audience) {
  const reported: Diagnostic[] = [];
  const approvals = makeCallApprovals({
    approve: async () => decision,
    access: { mayApprove: true },
    checkOutput: () => undefined,
    hold: () => () => undefined,
    report: (diagnostic) => reported.push(diagnostic),
    audience,
  });
  const call = { serverId: "files", toolName: "write", input: {}, number: 1 };
  const { signal } = new AbortController();
  const sought = await approvals.seek(call, ADMITTED, () => ADMITTED, signal);
  return { message: sought.kind === "refused" ? sought.error.message : "", codes: reported.map(({ code }) => code) };
}

const DECLINED =
  "Each call of files/write needs a person's approval, and the question was declined by a person, or closed by the client without an answer.";
const REFUSED = "A person has refused this call of files/write";

test.each<[ApprovalVerdict | CallDecision, Audience, string, string[]]>([
  // A client without a screen declines by itself.
  ["refused", "agent", DECLINED, ["APPROVAL_REQUIRED"]],
  // A durable run keeps it in this form.
  [{ verdict: "refused" }, "agent", DECLINED, ["APPROVAL_REQUIRED"]],
  [{ verdict: "refused", reason: "not now" }, "agent", `${REFUSED}: not now`, []],
  ["refused", "person", `${REFUSED}.`, []],
])(
  "a call that was not approved (%j, for the %s) says no more than is known",
  async (decision, audience, message, codes) => {
    expect(await seek(decision, audience)).toEqual({ message, codes });
  },
);
