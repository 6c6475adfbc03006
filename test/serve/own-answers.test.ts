import type { ServerContext } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { makeApprovalStates } from "../../serve/agent/approval-states.ts";
import { readReturned } from "../../serve/agent/ask-person.ts";
import { readApproval } from "../../serve/agent/seek-consent.ts";

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
