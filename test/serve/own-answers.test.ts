import type { ServerContext } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { readReturned } from "../../serve/agent/ask-person.ts";

const DECLINED = { action: "decline" };

test("an answer that a request does not have itself is none", () => {
  const request = (state: unknown, inputResponses?: object): ServerContext =>
    ({ mcpReq: { requestState: () => state, inputResponses } }) as unknown as ServerContext;
  const inherited = Object.create({ answer: DECLINED }) as object;
  expect(readReturned(request("RUN.1", inherited))).toEqual({ id: "RUN.1", given: undefined });
  expect(readReturned(request("RUN.1", { approval: DECLINED }))).toEqual({ id: "RUN.1", given: undefined });
  expect(readReturned(request("RUN.1"))).toEqual({ id: "RUN.1", given: undefined });
  expect(readReturned(request("RUN.1", { answer: DECLINED }))).toMatchObject({ id: "RUN.1", given: DECLINED });
  for (const state of [undefined, 1, { id: "RUN.1" }]) expect(readReturned(request(state))).toBeUndefined();
});
