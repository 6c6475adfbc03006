import type { ServerContext } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { makeApprovalStates } from "../../serve/agent/approval-states.ts";
import { readReturned, wayToAsk } from "../../serve/agent/ask-person.ts";
import { readApproval } from "../../serve/agent/request-approval.ts";

const DECLINED = { action: "decline" };

test("an answer that a request does not have itself is none, and leaves its question open", async () => {
  const states = makeApprovalStates();
  const asked = await states.make("digest", "call");
  const inRun = await states.make("", "call", { runId: "run", question: 1 });
  const request = (state: object, inputResponses: object): ServerContext =>
    ({ mcpReq: { requestState: () => state, inputResponses } }) as unknown as ServerContext;
  const inherited = Object.create({ approval: DECLINED, question: DECLINED }) as object;
  const call = (): string => "call";
  const approvalOf = (...brought: Parameters<typeof request>) =>
    readApproval(readReturned(request(...brought), call), states);
  expect(await approvalOf(asked, inherited)).toBeUndefined();
  expect(await approvalOf(asked, { approval: DECLINED })).toMatchObject({ isForm: true });
  expect(readReturned(request(inRun, inherited), call)).toEqual({ state: inRun, given: undefined });
  expect(readReturned(request(inRun, { approval: DECLINED }), call)).toEqual({ state: inRun, given: undefined });
});

test.each([
  ["by-result", { canShow: true, isModern: true }],
  ["by-result", { canShow: true, isModern: true, isKept: true }],
  ["in-log", { canShow: true, isModern: true, isDetached: true, isKept: true }],
  ["outside", { canShow: true, isModern: true, isDetached: true }],
  ["by-request", { canShow: true, isModern: false }],
  ["by-request", { canShow: true, isModern: false, isDetached: true }],
  ["in-log", { canShow: true, isModern: false, isKept: true }],
  ["in-log", { canShow: false, isModern: true, isKept: true }],
  ["in-log", { canShow: false, isModern: false, isKept: true }],
  ["outside", { canShow: false, isModern: true }],
  ["outside", { canShow: false, isModern: false }],
] as const)("a question gets to a person %s: %j", (way, asking) => {
  expect(wayToAsk(asking)).toBe(way);
});
