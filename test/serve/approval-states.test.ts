import type { ServerContext } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { makeApprovalStates } from "../../serve/agent/approval-states.ts";

const KEY = new Uint8Array(32).fill(7);
/** All that the codec looks at. */
const CALL = { mcpReq: { method: "tools/call" } } as ServerContext;

test("a person's answer to one client is of no use to another, and replicas with one key take it", async () => {
  const states = makeApprovalStates(KEY);
  const state = states.make("digest", "call");
  const sent = await states.codecFor("approver").mint(state, CALL);
  expect(await states.codecFor("approver").verify(sent, CALL)).toEqual(state);
  expect(await makeApprovalStates(KEY).codecFor("approver").verify(sent, CALL)).toEqual(state);
  for (const other of ["reporting", ""]) {
    await expect(async () => states.codecFor(other).verify(sent, CALL)).rejects.toThrow();
    await expect(async () => makeApprovalStates(KEY).codecFor(other).verify(sent, CALL)).rejects.toThrow();
  }
  await expect(async () => makeApprovalStates().codecFor("approver").verify(sent, CALL)).rejects.toThrow();
});
