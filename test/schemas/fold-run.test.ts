import { expect, test } from "vitest";
import type { CallDecision } from "../../schemas/run/approval.ts";
import type { Step } from "../../schemas/run/durable-run.ts";
import {
  foldRun,
  makeRunFold,
  mayBeUndone,
  openQuestions,
  type RunQuestion,
  stateOfRun,
  wasRefused,
} from "../../schemas/run/fold-run.ts";

const called = (call: number, toolName = "pay"): Step => ({
  ...{ kind: "call", call, serverId: "ledger", toolName, inputJson: "{}", timeMs: 0 },
});
/** About the script where there is no call. */
const asked = (call: number, digest = `d${call}`) => ({
  kind: "asked" as const,
  ...(call === 0 ? { about: "script" as const, tools: [], at: 3 } : { about: "call" as const, call }),
  digest,
  nonce: "n",
  lines: [`call ${call}`],
});
const decided = (number: number, decision: CallDecision, digest = `d${number}`): Step => ({
  ...{ kind: "decided", number, digest, decision },
});
const sent = (call: number): Step => ({ kind: "sent", call, input: {} });
const replied = (call: number): Step => ({ kind: "reply", call, timeMs: 1, replyJson: "{}", durationMs: 1 });
const GRANT: CallDecision = { verdict: "granted" };
const FOR_RUN: CallDecision = { verdict: "granted", forRun: true };
const REFUSE: CallDecision = { verdict: "refused" };

const grantsOf = (steps: Step[], ...calls: number[]): boolean[] => {
  const { isGranted } = makeRunFold({ steps })();
  return calls.map((call) => isGranted(call, "ledger/pay"));
};
const callOf = (question: RunQuestion): number => (question.about === "call" ? question.call : 0);
const openOf = (...steps: Step[]): number[] => openQuestions(foldRun(steps)).map(callOf);

test("allowing all later calls holds for the calls after it in the journal, and for no other tool", () => {
  const before = [called(1), called(2), asked(1), asked(2), called(3)];
  const steps = [...before, decided(2, FOR_RUN), sent(2), called(4), sent(4)];
  expect(grantsOf(steps, 1, 2, 3, 4, 5)).toEqual([false, false, false, true, true]);
  expect(grantsOf(before, 1, 2, 3, 5)).toEqual([false, false, false, false]);
  expect(makeRunFold({ steps })().isGranted(5, "ledger/book")).toBe(false);
});

test("a decision counts once, for the question that it answers", () => {
  expect(openOf(called(1), asked(1), decided(1, GRANT))).toEqual([]);
  // Its answer could not be used, so it was put again.
  expect(openOf(called(1), asked(1), decided(1, GRANT), asked(1))).toEqual([1]);
  expect(openOf(called(1), asked(1), decided(1, GRANT, "other"))).toEqual([1]);
  expect(openOf(called(1), asked(1), decided(2, GRANT, "d1"))).toEqual([1]);
  expect(openOf(called(1), asked(1), decided(1, GRANT), asked(1), decided(1, GRANT))).toEqual([1]);
  expect(openOf(called(1), asked(1), called(2), asked(2), decided(2, REFUSE))).toEqual([1]);
  expect(openOf(called(1), asked(1), replied(1))).toEqual([]);
  expect(openOf(called(1), asked(1), { kind: "ended", at: 1, answer: {} as never, ending: "result" })).toEqual([]);
  const twice = foldRun([called(1), asked(1), decided(1, REFUSE), decided(1, FOR_RUN), called(2)]);
  expect(twice.asked.get(1)?.decided).toHaveLength(1);
  expect([...twice.calls.values()].map(({ isGranted }) => isGranted)).toEqual([false, false]);
});

test("steps that are there twice, or in another order, take nothing back of what a server may have got", () => {
  const steps = [called(1), asked(1), decided(1, GRANT), sent(1), replied(1)];
  for (const order of [steps, steps.toReversed(), [...steps, ...steps], [...steps, called(1)]]) {
    const call = foldRun(order).calls.get(1);
    expect([call?.sent.length !== 0, call?.reply, call?.call]).toEqual([true, steps[4], steps[0]]);
  }
});

test("what is added later is folded as if it had been there", () => {
  const steps: Step[] = [called(1), asked(1)];
  const fold = makeRunFold({ steps });
  expect(fold().asked.get(1)?.open).toEqual({ ...steps[1], number: 1 });
  steps.push(
    decided(1, FOR_RUN),
    { kind: "suspended", usedMs: 5, at: 0 },
    { kind: "suspended", usedMs: 7, at: 0 },
    called(2),
  );
  expect(fold()).toMatchObject({ ...foldRun(steps), usedMs: 12, isGranted: expect.any(Function) });
  expect(fold().isGranted(2, "ledger/pay")).toBe(true);
});

test("a run that enters its store has its steps in another array, which is read on", () => {
  const run = { steps: [called(1), asked(1)] as Step[] };
  const fold = makeRunFold(run);
  expect(fold().questions).toHaveLength(1);
  run.steps = [...run.steps, called(2), asked(2)];
  expect(fold().asked.get(2)?.open?.number).toBe(2);
});

test("a run waits since it was suspended with nothing new since, also where another process looked at it again", () => {
  const suspended = (at: number): Step => ({ kind: "suspended", usedMs: 1, at });
  const sinceOf = (...steps: Step[]): number | undefined => foldRun(steps).waitsSince;
  expect(sinceOf(called(1), asked(1), suspended(5), suspended(9))).toBe(5);
  expect(sinceOf(suspended(5), decided(1, GRANT), suspended(9))).toBe(9);
  expect(sinceOf(suspended(5), replied(1))).toBeUndefined();
  expect(sinceOf(asked(0))).toBe(3);
});

test.each<[CallDecision, boolean]>([
  [FOR_RUN, true],
  [GRANT, false],
  [{ verdict: "granted", forRun: false }, false],
  [{ verdict: "refused", forRun: true } as CallDecision, false],
  [{ verdict: "changed", input: {} }, false],
])("after %j later calls are granted: %s", (decision, isGranted) => {
  const steps = [called(1), asked(1), decided(1, decision), called(2)];
  expect(grantsOf(steps, 2, 3)).toEqual([isGranted, isGranted]);
});

test("what is left of a call that is not recorded grants nothing, and a call that only has a question is not granted", () => {
  const steps = [asked(1), decided(1, FOR_RUN)];
  expect(grantsOf(steps, 1, 2)).toEqual([false, false]);
  expect(foldRun(steps).asked.get(1)).toEqual({ decided: [steps[1]] });
  expect(foldRun([decided(1, FOR_RUN)])).toMatchObject({ calls: new Map(), asked: new Map() });
  expect(foldRun([called(1), decided(1, FOR_RUN)]).asked.size).toBe(0);
});

test("what a script has heard are replies and timers, in their order", () => {
  const fire: Step = { kind: "fire", timer: 1, timeMs: 5 } as Step;
  const steps = [called(1), fire, sent(1), replied(1)];
  expect(foldRun(steps).heard).toEqual([fire, steps[3]]);
  expect(foldRun([]).heard).toEqual([]);
});

test("a run that is retried forgets what its last calls were answered with, and what may have been sent only where it was answered", () => {
  const broken = { ...replied(3), isBroken: true } as Step;
  const [fire, late] = [1, 2].map((timer) => ({ kind: "fire", timer, timeMs: timer }) as Step);
  const before = [
    called(1),
    sent(1),
    replied(1),
    fire,
    called(2),
    asked(2),
    decided(1, GRANT, "d2"),
    sent(2),
    called(3),
    sent(3),
  ];
  const heard = [replied(2), late, broken, { kind: "ended", at: 1, answer: {} } as never];
  const steps = [...before, ...heard, { kind: "retried", at: 2, calls: [2, 3] } as Step];
  const { calls, asked: ofQuestions, heard: left, end } = foldRun(steps as Step[]);
  expect(ofQuestions.size).toBe(0);
  expect([left, end, stateOfRun(foldRun(steps as Step[]), false)]).toEqual([
    [replied(1), fire],
    undefined,
    "interrupted",
  ]);
  expect([...calls.values()].map((call) => [call.sent.length, call.reply !== undefined])).toEqual([
    [1, true],
    [0, false],
    [1, false],
  ]);
});

test("what a script has heard before its last call is known", () => {
  expect(foldRun([called(1), called(2), replied(1), replied(2)]).heardBefore).toBe(0);
  expect(foldRun([called(1), replied(1), called(2), replied(2)]).heardBefore).toBe(1);
});

test.each<[Step[], boolean, string]>([
  [[], true, "running"],
  [[], false, "interrupted"],
  [[called(1)], false, "interrupted"],
  [[called(1), { kind: "suspended", usedMs: 1, at: 0 }], false, "waiting"],
  [[asked(0), decided(1, GRANT, "d0")], false, "interrupted"],
  [[{ kind: "ended", at: 1, answer: {} as never, ending: "result" }], true, "ended"],
  [[{ kind: "blocked", answer: {} as never }], true, "blocked"],
])("the state of a run after %j, with a process: %s", (steps, isOwned, state) => {
  expect(stateOfRun(foldRun(steps), isOwned)).toBe(state);
  expect(openQuestions(foldRun(steps))).toEqual([]);
});

test("a question has its number for ever, and its decision; one that is put again is another", () => {
  const steps = [called(1), called(2), asked(2), asked(1), decided(1, REFUSE, "d2"), asked(2), replied(1)];
  const { questions, asked: ofQuestions } = foldRun(steps);
  expect(questions.map((each) => [each.number, callOf(each), each.decision?.verdict])).toEqual([
    [1, 2, "refused"],
    [2, 1, undefined],
    [3, 2, undefined],
  ]);
  expect([ofQuestions.get(1)?.open, ofQuestions.get(2)?.open?.number]).toEqual([undefined, 3]);
});

test("a run whose script waits for its approval waits, whether a process has it or not", () => {
  const folded = foldRun([asked(0)]);
  expect([true, false].map((isOwned) => stateOfRun(folded, isOwned))).toEqual(["waiting", "waiting"]);
});

const ENDED: Step = { kind: "ended", at: 1, answer: {} as never, ending: "result" };
const SUSPENDED: Step = { kind: "suspended", usedMs: 1, at: 0 };

test.each<[Step[], boolean, boolean]>([
  [[], false, false],
  [[asked(0)], false, false],
  [[asked(0), decided(1, REFUSE, "d0"), ENDED], false, true],
  [[asked(0), decided(1, REFUSE, "d0")], false, false],
  [[asked(0), decided(1, GRANT, "d0"), ENDED], false, false],
  [[ENDED], false, false],
  [[ENDED, { kind: "retried", at: 2, calls: [] }], false, false],
  [[SUSPENDED], true, false],
  [[asked(0), decided(1, GRANT, "d0"), SUSPENDED], true, false],
  [[asked(0), decided(1, GRANT, "d0"), called(1), ENDED], true, false],
  [[asked(0), decided(1, GRANT, "d0"), called(1), asked(1), decided(2, REFUSE, "d1"), ENDED], true, false],
  [[{ kind: "fire", timer: 1, timeMs: 1 }, asked(0), decided(1, REFUSE, "d0"), ENDED], true, false],
  [[asked(1)], true, false],
  [[decided(1, REFUSE)], true, false],
])("after %j its script has begun: %s, and was refused: %s", (steps, hasBegun, isRefused) => {
  const folded = foldRun(steps);
  expect([folded.hasBegun, wasRefused(folded)]).toEqual([hasBegun, isRefused]);
});

test.each<[Step | undefined, boolean]>([
  [undefined, false],
  [{ kind: "undoing", call: 1 }, true],
  [{ kind: "undoing", call: 1, hasFailed: true }, false],
  [{ kind: "undone", call: 1 }, true],
])("what a call has done may be taken back after %j: %s", (step, isUndone) => {
  const state = foldRun([called(1), sent(1), replied(1), ...(step === undefined ? [] : [step])]).calls.get(1);
  expect(state !== undefined && mayBeUndone(state)).toBe(isUndone);
});
