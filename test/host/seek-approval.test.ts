import { expect, test } from "vitest";
import type { CallDecision, ApprovalVerdict } from "../../schemas/run/approval.ts";
import { describeMissingApproval, type BlockedWork } from "../../runtime/host/checks/describe-missing-approval.ts";
import { approvalOf, seekApproval } from "../../runtime/host/checks/seek-approval.ts";
import type { Audience } from "../../schemas/audience.ts";

const REQUEST = { tools: [], digest: "sha256-x" };
const MAY = { mayApprove: true };

const verdictOf = async (...asked: Parameters<typeof seekApproval>) => (await seekApproval(...asked)).verdict;

test.each<ApprovalVerdict>(["granted", "refused", "closed", "unavailable"])(
  "the answer is passed on: %s",
  async (verdict) => {
    const asked: unknown[] = [];
    const approve = async (request: unknown) => {
      asked.push(request);
      return verdict;
    };
    expect(await verdictOf(REQUEST, { approve, access: MAY }, undefined)).toBe(verdict);
    expect(asked).toEqual([REQUEST]);
  },
);

test("a question that fails is no approval, at once or later", async () => {
  const fails = (): never => {
    throw new Error("no screen");
  };
  expect(await verdictOf(REQUEST, { approve: fails, access: MAY }, undefined)).toBe("unavailable");
  expect(await verdictOf(REQUEST, { approve: async () => fails(), access: MAY }, undefined)).toBe("unavailable");
});

test("who may not answer is not asked", async () => {
  let asked = 0;
  const approve = async (): Promise<ApprovalVerdict> => {
    asked += 1;
    return "granted";
  };
  expect(await verdictOf(REQUEST, { approve, access: { mayApprove: false } }, undefined)).toBe("reserved");
  expect(await verdictOf(REQUEST, { approve, access: MAY }, AbortSignal.abort())).toBe("cancelled");
  expect(asked).toBe(0);
});

test("the question ends with its run, and a signal has no listener left behind", async () => {
  const controller = new AbortController();
  const open = verdictOf(REQUEST, { approve: () => new Promise(() => {}), access: MAY }, controller.signal);
  controller.abort();
  expect(await open).toBe("cancelled");

  const { signal } = new AbortController();
  const counts = { added: 0, removed: 0 };
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    counts.added += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    counts.removed += 1;
    remove(...args);
  };
  expect(await verdictOf(REQUEST, { approve: async () => "granted", access: MAY }, signal)).toBe("granted");
  await new Promise((resolve) => setImmediate(resolve));
  expect(counts).toEqual({ added: 1, removed: 1 });
});

type Verdict = Exclude<ApprovalVerdict, "granted">;

test.each<[BlockedWork["kind"], Verdict, string, string]>([
  [
    "script",
    "refused",
    "The user refused to let this script call a/b, so it did not run.",
    "Do without it, or say what it is for. ",
  ],
  ["call", "refused", "The user refused the call of a/b.", "Do without it, or say what it is for. "],
  [
    "script",
    "closed",
    "This script needs a person's approval to call a/b, and the question was closed without an answer, so it did not run.",
    "",
  ],
  ["call", "closed", "A call of a/b needs a person's approval, and the question was closed without an answer.", ""],
  [
    "script",
    "unavailable",
    "This script needs a person's approval to call a/b, and no person could be asked, so it did not run.",
    "",
  ],
  ["call", "unavailable", "A call of a/b needs a person's approval, and no person could be asked.", ""],
])("without approval for a %s (%s)", (kind, verdict, message, hint) => {
  const hintFor = (audience?: Audience) => {
    const diagnostic = describeMissingApproval({ kind, tools: "a/b" }, verdict, audience);
    expect(diagnostic).toMatchObject({ severity: "error", code: "APPROVAL_REQUIRED", message });
    return diagnostic.hint as string;
  };
  expect(hintFor()).toBe(hintFor("person"));
  expect(hintFor("person")).toMatch(new RegExp(`^${hint}(Run|Call) it with .codemode (run|call) --approve`));
  // An agent with a shell could run a command that it reads.
  const agent = describeMissingApproval({ kind, tools: "a/b" }, verdict, "agent");
  expect(agent.hint).toMatch(/Tell the user.*"policy"/);
  expect(agent.hint).not.toMatch(/codemode|--approve/);
});

test("an agent learns of a declined question both what a person means by it and what a client without forms does", () => {
  expect(describeMissingApproval({ kind: "script", tools: "a/b" }, "refused", "agent")).toMatchObject({
    message:
      "This script needs a person's approval to call a/b, and the question was declined by a person, or closed by the client without an answer, so it did not run.",
    hint: expect.stringMatching(
      /^If a person declined, do without it\. If no form was shown: Tell the user which calls/,
    ),
  });
});

test.each<Verdict>(["refused", "closed"])(
  "an agent learns how a client without forms lets a run wait (%s)",
  (verdict) => {
    const hintFor = (kind: BlockedWork["kind"]) =>
      describeMissingApproval({ kind, tools: "a/b" }, verdict, "agent").hint;
    for (const kind of ["script", "each"] as const)
      expect(hintFor(kind)).toContain('"serve": { "mayApprove": false } lets the run wait');
    expect(hintFor("call")).not.toContain("mayApprove");
  },
);

test("an approval that is reserved is the server's own matter", () => {
  expect(describeMissingApproval({ kind: "call", tools: "a/b" }, "reserved")).toMatchObject({
    message: "A call of a/b needs a person's approval, which this client may not give.",
    hint: expect.stringContaining('"mayApprove"'),
  });
});

test("an answer says how a person gave it, where it does not the one who asks does", async () => {
  const by = { way: "operator", name: "operatorToken" } as const;
  const asked = (decision: CallDecision) =>
    seekApproval(REQUEST, { approve: async () => decision, access: MAY }, undefined);
  expect(await asked({ verdict: "refused", by })).toEqual({ verdict: "refused", by });
  expect(approvalOf(by, "form")).toEqual({ approvalBy: "operator", approvalName: "operatorToken" });
  expect(approvalOf((await asked({ verdict: "granted" })).by, "form")).toEqual({
    approvalBy: "form",
    approvalName: undefined,
  });
});

test.each<[CallDecision, ApprovalVerdict]>([
  [{ verdict: "granted" }, "granted"],
  [{ verdict: "granted", forRun: true }, "granted"],
  [{ verdict: "refused", reason: "no" }, "refused"],
  [{ verdict: "changed", input: {} }, "closed"],
  [{ verdict: "answered", result: 1 }, "closed"],
])("what decides about a call (%j) is %s for a script", async (decision, verdict) => {
  const approve = async (): Promise<CallDecision> => ({ ...decision, by: { way: "page" } });
  expect(await seekApproval(REQUEST, { approve, access: MAY }, undefined)).toEqual({ verdict, by: { way: "page" } });
});
