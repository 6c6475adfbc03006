import type { ServerContext } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeMemoryStore } from "../../serve/store/run-store.ts";
import { type ApprovalState, makeApprovalStates } from "../../serve/agent/approval-states.ts";

const KEY = new Uint8Array(32).fill(7);
/** All that the codec looks at. */
const CALL = { mcpReq: { method: "tools/call" } } as ServerContext;

test("a person's answer to one client is of no use to another, and replicas with one key take it", async () => {
  const states = makeApprovalStates(KEY);
  const state = await states.make("digest", "call");
  const sent = await states.codecFor("approver").mint(state, CALL);
  expect(await states.codecFor("approver").verify(sent, CALL)).toEqual(state);
  expect(await makeApprovalStates(KEY).codecFor("approver").verify(sent, CALL)).toEqual(state);
  for (const other of ["reporting", ""]) {
    await expect(async () => states.codecFor(other).verify(sent, CALL)).rejects.toThrow();
    await expect(async () => makeApprovalStates(KEY).codecFor(other).verify(sent, CALL)).rejects.toThrow();
  }
  await expect(async () => makeApprovalStates().codecFor("approver").verify(sent, CALL)).rejects.toThrow();
});

const MINUTE = 60_000;

/** Replicas with clocks of their own and one store, whose clock stands until it is moved. */
function startReplicas() {
  onTestFinished(() => void vi.useRealTimers());
  let stored = 1_800_000_000_000;
  const store = makeMemoryStore(() => stored);
  const as = async <Value>(skewMs: number, work: () => Value | Promise<Value>): Promise<Value> => {
    vi.useFakeTimers({ toFake: ["Date"], now: stored + skewMs });
    return work();
  };
  const replica = (skewMs: number) => {
    const states = makeApprovalStates(KEY, store);
    const codec = states.codecFor("approver");
    return {
      ask: (): Promise<string> => as(skewMs, async () => codec.mint(await states.make("digest", "call"), CALL)),
      use: (sent: string): Promise<boolean> =>
        as(skewMs, async () => states.spend((await codec.verify(sent, CALL)) as ApprovalState)),
    };
  };
  return { replica, pass: (ms: number) => void (stored += ms) };
}

test.each([
  ["is right", 0],
  ["is ten minutes ahead", 10 * MINUTE],
  ["is ten minutes behind", -10 * MINUTE],
])("with a store an approval is used once within its ten minutes, where the clock that asked %s", async (_, skewMs) => {
  for (const answering of [0, 10 * MINUTE, -10 * MINUTE]) {
    const { replica, pass } = startReplicas();
    const [asking, taking] = [replica(skewMs), replica(answering)];
    const [used, late] = [await asking.ask(), await asking.ask()];
    pass(9 * MINUTE);
    expect(await taking.use(used)).toBe(true);
    expect(await taking.use(used)).toBe(false);
    pass(0.5 * MINUTE);
    expect(await taking.use(used)).toBe(false);
    pass(0.6 * MINUTE);
    for (let minute = 0; minute < 25; minute += 1) {
      expect(await taking.use(late)).toBe(false);
      expect(await replica(0).use(used)).toBe(false);
      pass(MINUTE);
    }
  }
});

test("without a store a question that is said to be asked in more than a minute is of no use", async () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 });
  const states = makeApprovalStates(KEY);
  const state = await states.make("digest", "call");
  for (const [ahead, isUsed] of [
    [59_000, true],
    [61_000, false],
  ] as const) {
    vi.setSystemTime(state.askedAt - ahead);
    expect(await states.spend({ ...state, nonce: `${ahead}` })).toBe(isUsed);
  }
});
