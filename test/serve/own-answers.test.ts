import type { ServerContext } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { makeApprovalStates } from "../../serve/agent/approval-states.ts";
import { readAnswer, readReply } from "../../serve/agent/ask-person.ts";

const DECLINED = { action: "decline" };

test("an answer that a request does not have itself is none, and leaves its question open", async () => {
  const states = makeApprovalStates();
  const asked = await states.make("digest", "call");
  const inRun = await states.make("", "call", { runId: "run", question: 1 });
  const request = (state: object, inputResponses: object): ServerContext =>
    ({ mcpReq: { requestState: () => state, inputResponses } }) as unknown as ServerContext;
  const inherited = Object.create({ approval: DECLINED, question: DECLINED }) as object;
  expect(await readAnswer(request(asked, inherited), "call", states)).toBeUndefined();
  expect(await readAnswer(request(asked, { approval: DECLINED }), "call", states)).toMatchObject({ by: "form" });
  expect(await readReply(request(inRun, inherited), "call", states)).toMatchObject({ reply: { action: "cancel" } });
});
