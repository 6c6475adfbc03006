import { expect, test } from "vitest";
import type { Step } from "../../schemas/run/durable-run.ts";
import { toRecordedSteps } from "../../schemas/run/recorded-steps.ts";

const called = (call: number, timeMs: number): Step => ({
  ...{ kind: "call", call, serverId: "ledger", toolName: "pay", inputJson: `{"entry":${call}}`, timeMs },
});
const replied = (call: number, timeMs: number, durationMs: number): Step => ({
  ...{ kind: "reply", call, timeMs, durationMs, replyJson: `{"ok":true,"value":${call}}` },
});

test("a recording has the calls of the steps, and what the script has heard in them", () => {
  const steps = [
    called(1, 0),
    called(2, 3),
    replied(2, 7, 4),
    { kind: "fire", timer: 1, timeMs: 9 } as Step,
    replied(1, 12, 11),
  ];
  expect(toRecordedSteps([...steps, called(3, 12)])).toEqual({
    calls: [
      {
        ...{ serverId: "ledger", toolName: "pay", input: { entry: 1 } },
        startMs: 0,
        endMs: 12,
        reply: { ok: true, value: 1 },
      },
      {
        ...{ serverId: "ledger", toolName: "pay", input: { entry: 2 } },
        startMs: 3,
        endMs: 7,
        reply: { ok: true, value: 2 },
      },
      { serverId: "ledger", toolName: "pay", input: { entry: 3 }, startMs: 12 },
    ],
    events: [
      { timeMs: 7, call: 2 },
      { timeMs: 9, timer: 1 },
      { timeMs: 12, call: 1 },
    ],
  });
});
