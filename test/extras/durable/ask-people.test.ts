import { expect, test, vi } from "vitest";
import type { CallHost } from "../../../runtime/host/run.ts";
import { hostOf } from "../../host/run-of.ts";
import { takeClock } from "../../move-clock.ts";
import { makePeople } from "../../../extras/durable/ask-people.ts";
import { askOfDoubt, describeStop, type DoubtfulCall, readDoubt } from "../../../extras/durable/doubts.ts";
import { makeOpenQuestions, type RunQuestions } from "../../../extras/durable/questions.ts";
import { type OwnedRun, RunTaken } from "../../../extras/durable/kept-runs.ts";
import type { LockedTool } from "../../../schemas/lock/lockfile.ts";
import type { ApprovalRequest, Approve, CallDecision } from "../../../schemas/run/approval.ts";
import { describeCallToApprove } from "../../../schemas/run/describe-call.ts";
import type { Step, StepOf } from "../../../schemas/run/durable-run.ts";
import { makeRunFold } from "../../../schemas/run/fold-run.ts";

const GRANT: CallDecision = { verdict: "granted" };
const REFUSE: CallDecision = { verdict: "refused" };
const unavailable: Approve = async () => "unavailable";
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const requestOf = (digest: string): ApprovalRequest => ({
  ...{ tools: [{ serverId: "ledger", toolName: "pay" }], digest },
  call: { number: 1, input: { entry: digest }, position: 1, total: 1, made: new Map() },
});
const calledStep = (call: number): Step => ({
  ...{ kind: "call", call, serverId: "ledger", toolName: "pay", inputJson: "{}", timeMs: 0 },
});

const RUN = "x".repeat(22);
const viewOf: CallHost["viewOf"] = () => ({ parameters: [], split: (text) => [text] });
/** Where the log has one question. */
const LOGGED = { run: RUN, numberOf: () => 1 };

/** The people of one attempt of a run, over the steps that it has so far. */
function makeAttempt(
  steps: Step[],
  {
    questions = makeOpenQuestions(),
    ...request
  }: {
    questions?: RunQuestions;
    mayApprove?: boolean;
    approve?: Approve;
    operator?: Approve;
  } = {},
) {
  const stops: unknown[] = [];
  const changes: number[] = [];
  const keep: OwnedRun["append"] = async (added) => void steps.push(...added);
  questions.keepBy(keep);
  const people = makePeople({
    ...{ owned: { run: { id: RUN }, steps } as unknown as OwnedRun, keep, questions },
    request: {
      access: { mayApprove: request.mayApprove ?? true },
      approve: request.approve ?? unavailable,
      askOperator: request.operator,
    } as never,
    host: hostOf({
      checkOutput: (_, { structuredContent }) => (structuredContent === undefined ? "It has no object" : undefined),
      viewOf,
    }),
    recorded: makeRunFold({ steps })().calls,
    stop: (why) => void stops.push(why),
    onChange: () => void changes.push(people.asking()),
  });
  return { people, questions, stops, changes, steps };
}

const kindsOf = (steps: readonly Step[]): string[] => steps.map(({ kind }) => kind);

test("a question is kept before it is put, and its answer before the call goes on", async () => {
  const steps = [calledStep(1)];
  const seen: string[][] = [];
  const { people, questions, changes } = makeAttempt(steps);
  const request = requestOf("d1");
  const decision = people.ask(1, request, async ({ id }) => {
    seen.push([...kindsOf(steps), id ?? ""]);
    return "granted";
  });
  expect(await decision).toEqual(GRANT);
  expect(seen).toEqual([["call", "asked", `${RUN}.1`]]);
  expect(steps.slice(1)).toEqual([
    {
      kind: "asked",
      about: "call",
      call: 1,
      digest: "d1",
      nonce: expect.any(String),
      tools: ["ledger/pay"],
      lines: describeCallToApprove(request),
    },
    { kind: "decided", number: 1, digest: "d1", decision: GRANT },
  ]);
  expect(questions.open()).toEqual([]);
  expect([changes, people.asking()]).toEqual([[1, 0], 0]);
});

test("what a person has said before is not asked again, and another question about the same call is", async () => {
  const steps: Step[] = [calledStep(1)];
  const asked: string[] = [];
  const approve: Approve = async ({ digest }) => {
    asked.push(digest);
    return { verdict: "changed", input: { at: asked.length } };
  };
  const first = makeAttempt(steps);
  await first.people.ask(1, requestOf("d1"), approve);
  await first.people.ask(1, requestOf("d1"), approve);
  const second = makeAttempt(steps);
  const replayed = [
    await second.people.ask(1, requestOf("d1"), approve),
    await second.people.ask(1, requestOf("d1"), approve),
  ];
  expect(replayed).toEqual([1, 2].map((at) => ({ verdict: "changed", input: { at } })));
  expect(asked).toHaveLength(2);
  expect(kindsOf(steps)).toEqual(["call", "asked", "decided", "asked", "decided"]);
  await second.people.ask(1, requestOf("other"), approve);
  await second.people.ask(2, requestOf("d1"), approve);
  expect(asked).toEqual(["d1", "d1", "other", "d1"]);
});

test("a question that is open already is not kept a second time", async () => {
  const steps: Step[] = [calledStep(1), { kind: "asked", about: "call", call: 1, digest: "d1", nonce: "n", lines: [] }];
  const { people } = makeAttempt(steps);
  await people.ask(1, requestOf("d1"), async () => "refused");
  expect(kindsOf(steps)).toEqual(["call", "asked", "decided"]);
  await people.ask(1, requestOf("d2"), async () => "refused");
  expect(kindsOf(steps).slice(3)).toEqual(["asked", "decided"]);
});

test("what is said after the sandbox was given back is for the next attempt", async () => {
  const steps = [calledStep(1)];
  const first = makeAttempt(steps);
  const left = first.people.ask(1, requestOf("d1"), unavailable);
  await turn();
  expect(first.questions.open()).toHaveLength(1);
  first.people.end();
  const woken = first.questions.answered();
  expect(await first.questions.decide({ digest: "d1" }, REFUSE)).toBe(true);
  await woken;
  await expect(left).rejects.toBeInstanceOf(RunTaken);
  expect(first.stops).toEqual([]);
  const second = makeAttempt(steps, { questions: first.questions });
  expect(await second.people.ask(1, requestOf("d1"), unavailable)).toEqual(REFUSE);
  expect(kindsOf(steps)).toEqual(["call", "asked", "decided"]);
});

test("a question that cannot be kept stops the run", async () => {
  const { people, stops } = makeAttempt([calledStep(1)]);
  const why = new Error("full");
  const broken = makeOpenQuestions();
  const failing = makeAttempt([calledStep(1)], { questions: broken });
  broken.keepBy(async () => {
    throw why;
  });
  await expect(failing.people.ask(1, requestOf("d1"), async () => "granted")).rejects.toBe(why);
  expect(failing.stops).toEqual([{ end: { kind: "taken", why } }]);
  expect(failing.people.asking()).toBe(0);
  expect([people.asking(), stops]).toEqual([0, []]);
});

test("a person's permission for all later calls is the one in the journal", () => {
  const steps: Step[] = [
    calledStep(1),
    { kind: "asked", about: "call", call: 1, digest: "d1", nonce: "n", lines: [] },
    { kind: "decided", number: 1, digest: "d1", decision: { verdict: "granted", forRun: true } },
  ];
  const { people } = makeAttempt(steps);
  expect([people.isGranted(1, "ledger/pay"), people.isGranted(2, "ledger/pay")]).toEqual([false, true]);
});

const PAY = { name: "pay", integrity: "sha256-p", inputSchema: {} } as unknown as LockedTool;
const doubtOf = (times = 1): DoubtfulCall & { id: number } => ({
  call: { serverId: "ledger", toolName: "pay", input: {}, place: "job.js:1:1" },
  tool: PAY,
  sent: { kind: "sent", call: 3, input: { entry: "a" } } as StepOf<"sent">,
  times,
  id: 3,
});
const sentSteps = (): Step[] => [calledStep(3), { kind: "sent", call: 3, input: { entry: "a" } }];

test.each<[string, CallDecision, unknown]>([
  ["is made again where it was not made", GRANT, undefined],
  [
    "has the result that a person gives",
    { verdict: "answered", result: { sum: 3 } },
    expect.objectContaining({ ok: true, value: { sum: 3 }, changed: { kind: "result" } }),
  ],
])("a call in doubt %s", async (_, decision, reply) => {
  const asked: ApprovalRequest[] = [];
  const { people, stops } = makeAttempt(sentSteps(), {
    approve: async (request) => {
      asked.push(request);
      return decision;
    },
  });
  expect(await people.settleDoubt(doubtOf())).toEqual(reply);
  expect(stops).toEqual([]);
  expect(asked).toMatchObject([
    {
      tools: [{ serverId: "ledger", toolName: "pay" }],
      call: { number: 3, input: { entry: "a" }, position: 1, total: 1, isInDoubt: true, place: "job.js:1:1" },
    },
  ]);
  expect([...(asked[0]?.call?.made ?? [])]).toEqual([["ledger/pay", 1]]);
});

test("a call in doubt that a person does not answer for stops the run", async () => {
  const { people, stops } = makeAttempt(sentSteps(), { approve: async () => "refused" });
  expect(await people.settleDoubt(doubtOf())).toMatchObject({ ok: false, error: { errorClass: "ToolCallError" } });
  expect(stops).toEqual([{ finding: describeStop(doubtOf().call) }]);
  expect(describeStop(doubtOf().call)).toMatchObject({ code: "RUN_CANCELLED", severity: "error" });
});

test("an answer that cannot be used is asked for again, with the reason", async () => {
  const problems: (string | undefined)[] = [];
  const decisions: CallDecision[] = [
    { verdict: "changed", input: {} },
    { verdict: "answered", result: "text" },
    { verdict: "answered", result: {} },
  ];
  const { people } = makeAttempt(sentSteps(), {
    approve: async ({ call }) => {
      problems.push(call?.problem);
      return decisions[problems.length - 1] as CallDecision;
    },
  });
  expect(await people.settleDoubt(doubtOf())).toMatchObject({ ok: true, value: {} });
  expect(problems).toEqual([undefined, expect.stringContaining("cannot be changed"), "It has no object"]);
});

test("who may not approve is not asked about a call in doubt: the operator is, as in a run", async () => {
  const asked: string[] = [];
  const by =
    (name: string): Approve =>
    async (_request, inRun) => {
      asked.push(inRun === undefined ? name : `${name} in the run`);
      return "granted";
    };
  const all = { approve: by("client"), operator: by("operator") };
  await makeAttempt(sentSteps(), all).people.settleDoubt(doubtOf());
  await makeAttempt(sentSteps(), { ...all, mayApprove: false }).people.settleDoubt(doubtOf());
  expect(asked).toEqual(["client in the run", "operator in the run"]);
  const alone = makeAttempt(sentSteps(), { approve: by("client"), mayApprove: false });
  void alone.people.settleDoubt(doubtOf()).catch(() => undefined);
  await turn();
  await turn();
  expect([asked.length, alone.questions.open().length]).toEqual([2, 1]);
});

test("each time that a call was sent is a doubt of its own", () => {
  const digests = [doubtOf(1), doubtOf(2), { ...doubtOf(1), sent: { ...doubtOf().sent, input: {} } }].map(
    (doubt) => askOfDoubt(doubt, new Map(), undefined, { viewOf }).digest,
  );
  expect(new Set(digests).size).toBe(3);
  const plain = askOfDoubt(
    { ...doubtOf(), call: { serverId: "ledger", toolName: "pay", input: {} } },
    new Map(),
    undefined,
    { viewOf },
  );
  expect(Object.keys(plain.call ?? {})).not.toContain("place");
  expect(readDoubt(GRANT, doubtOf(), hostOf())).toBe("make");
});

test("a channel that comes back at once is not asked again, and one that was shown is", async () => {
  const time = takeClock({ stands: true });
  const questions = makeOpenQuestions();
  questions.keepBy(async () => undefined);
  let shown = 0;
  const channel: Approve = async () => {
    shown += 1;
    if (shown <= 2) time.skip(1000);
    return "closed";
  };
  void questions.ask({ call: 1, digest: "d1", round: 0 }, requestOf("d1"), channel, LOGGED);
  await turn();
  expect([shown, questions.open().length]).toEqual([3, 1]);
});

test("a question is answered once, by its digest, and only while it is open", async () => {
  const questions = makeOpenQuestions();
  const kept: Step[] = [];
  questions.keepBy(async (steps) => void kept.push(...steps));
  const place = { call: 1, digest: "d1", round: 0 };
  const decided = questions.ask(place, requestOf("d1"), unavailable, LOGGED);
  expect(questions.ask(place, requestOf("d1"), unavailable, LOGGED)).toBe(decided);
  expect(await questions.decide({ digest: "other" }, GRANT)).toBe(false);
  expect([await questions.decide({ digest: "d1" }, REFUSE), await questions.decide({ digest: "d1" }, GRANT)]).toEqual([
    true,
    false,
  ]);
  expect(await decided).toEqual(REFUSE);
  expect(kept).toEqual([{ kind: "decided", number: 1, digest: "d1", decision: REFUSE }]);
  await questions.answered();
  questions.close(place);
  let isAnswered = false;
  void questions.answered().then(() => (isAnswered = true));
  await turn();
  expect(isAnswered).toBe(false);
});

test("an answer that another process must keep is none here, and other failures are said", async () => {
  const questions = makeOpenQuestions();
  const left = questions.ask({ call: 1, digest: "d1", round: 0 }, requestOf("d1"), unavailable, LOGGED);
  expect(await questions.decide({ digest: "d1" }, GRANT)).toBe(false);
  await expect(left).rejects.toBeInstanceOf(RunTaken);
  // A process that has its run again asks again who knows that the answer did not count, and no one whose answer came by itself.
  const kept: Step[] = [];
  const again = (answer: Approve) =>
    questions.ask({ call: 1, digest: "d1", round: 0 }, requestOf("d1"), answer, LOGGED);
  await expect(again(async () => GRANT)).rejects.toBeInstanceOf(RunTaken);
  questions.keepBy(async (steps) => void kept.push(...steps));
  expect(await again(async () => REFUSE)).toEqual(GRANT);
  expect(kept).toEqual([{ kind: "decided", number: 1, digest: "d1", decision: GRANT }]);
  questions.keepBy(async () => {
    throw new Error("full");
  });
  const failing = questions.ask({ call: 2, digest: "d2", round: 0 }, requestOf("d2"), unavailable, LOGGED);
  await expect(questions.decide({ digest: "d2" }, GRANT)).rejects.toThrow("full");
  await expect(failing).rejects.toThrow("full");
});

test("a channel that fails leaves the question open", async () => {
  const questions = makeOpenQuestions();
  questions.keepBy(async () => undefined);
  const failing: Approve = async () => {
    throw new Error("no screen");
  };
  const decision = questions.ask({ call: 1, digest: "d1", round: 0 }, requestOf("d1"), failing, LOGGED);
  await turn();
  expect(questions.open()).toHaveLength(1);
  await questions.decide({ digest: "d1" }, { verdict: "granted", forRun: true });
  expect(await decision).toEqual({ verdict: "granted", forRun: true });
});

test("an answer that is being written to one question about a call is none to the next one about it", async () => {
  const steps: Step[] = [calledStep(1), { kind: "asked", about: "call", call: 1, digest: "d1", nonce: "n", lines: [] }];
  const { people, questions } = makeAttempt(steps);
  expect(await questions.decide({ number: 1, digest: "d1" }, GRANT)).toBe(true);
  steps.length = 2;
  const channel = vi.fn<Approve>(async () => "refused");
  expect(await people.ask(1, requestOf("d2"), channel)).toEqual(REFUSE);
  expect(steps.at(-1)).toEqual({ kind: "decided", number: 2, digest: "d2", decision: REFUSE });
});

test("a question in the log is answered before the script has come to it again, once, and no channel gets it then", async () => {
  const [asked, digest] = [requestOf("d1"), "d1"];
  const open: Step = { kind: "asked", about: "call", call: 1, digest, nonce: "n", lines: [] };
  for (const isFound of [true, false]) {
    const steps: Step[] = [calledStep(1), open];
    const { people, questions } = makeAttempt(steps);
    expect(await questions.decide({ number: 1, digest }, GRANT)).toBe(true);
    expect(await questions.decide({ number: 1, digest }, REFUSE)).toBe(false);
    expect(kindsOf(steps)).toEqual(["call", "asked", "decided"]);
    // The script comes to it when the answer is in the log, or while that is being written.
    if (!isFound) steps.length = 2;
    const channel = vi.fn<Approve>(async () => "refused");
    expect(await people.ask(1, asked, channel)).toEqual(GRANT);
    expect(channel).not.toHaveBeenCalled();
    // The answer was to that question alone.
    expect(await people.ask(1, asked, channel)).toEqual(REFUSE);
  }
});

test("a question can be answered while it is being kept, and its answer is kept after it", async () => {
  const steps: Step[] = [calledStep(1)];
  const { people, questions } = makeAttempt(steps);
  let write: () => void = () => undefined;
  const written = new Promise<void>((resolve) => (write = resolve));
  questions.keepBy(async (added) => {
    await written;
    steps.push(...added);
  });
  const channel = vi.fn<Approve>(unavailable);
  const decision = people.ask(1, requestOf("d1"), channel);
  const answered = questions.decide({ digest: "d1" }, GRANT);
  write();
  expect([await answered, await decision]).toEqual([true, GRANT]);
  expect(kindsOf(steps)).toEqual(["call", "asked", "decided"]);
});
