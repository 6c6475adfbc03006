import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { ApprovalRequest } from "../../schemas/run/approval.ts";
import type { AskingRun } from "../../engine/extras.ts";
import { makeAskers } from "../../serve/agent/ask-approval.ts";
import type { ServerQuestion } from "../../schemas/run/question.ts";
import { takeClock } from "../move-clock.ts";
import { aRequest, answerOf, makeRuns } from "./make-runs.ts";

const REQUEST: ApprovalRequest = {
  tools: [{ serverId: "files", toolName: "write" }],
  digest: "sha256-x",
  call: { number: 1, input: { path: "notes.txt" }, position: 1, total: 1, made: new Map() },
};

let time: ReturnType<typeof takeClock>;
beforeEach(() => void (time = takeClock()));

const FORMS = { elicitation: { form: {} } };

/** A run whose client closes each form after so long, and a person outside of the client who refuses by `refuse`, or none. */
function makeRun(closedAfterMs: number, { hasPerson = true, isDurable = false } = {}) {
  const detach = vi.fn<(findings: readonly Diagnostic[]) => void>();
  const resume = vi.fn<() => void>();
  let isOutside = false;
  let refuse!: () => void;
  const answer = new Promise<{ verdict: "refused"; reason: string }>(
    (resolve) => (refuse = () => resolve({ verdict: "refused", reason: "not now" })),
  );
  const outside: AskingRun = {
    async ask(_request, { signal }) {
      isOutside = true;
      signal.addEventListener("abort", () => (isOutside = false));
      return { id: "run.1", verdict: answer };
    },
    askForServer: async () => ({ id: "run.1", verdict: answer.then(() => ({ action: "decline" }) as const) }),
    end: async () => undefined,
  };
  const run = {
    async ask() {
      time.skip(closedAfterMs);
      return { action: "cancel" } as const;
    },
    ...{ detach, resume, signal: new AbortController().signal },
  };
  const asking = { outside: hasPerson ? outside : undefined, isDurable, capabilities: FORMS, run };
  return {
    ...makeAskers(asking),
    detach,
    resume,
    refuse,
    isOutside: () => isOutside,
  };
}

test("a form that comes back closed at once was seen by no person: the call waits for the person outside of the client", async () => {
  const { approve, detach, refuse, isOutside } = makeRun(0);
  const decided = approve(REQUEST, {});
  await vi.waitFor(() => expect(detach).toHaveBeenCalled());
  expect(isOutside()).toBe(true);
  expect(detach.mock.calls[0]?.[0]).toMatchObject([
    {
      code: "APPROVAL_REQUIRED",
      message:
        "Each call of files/write needs a person's approval, and no person could be asked. The run waits for it, for 10 minutes.",
      hint: expect.stringContaining("then call with the runId."),
    },
  ]);
  refuse();
  expect(await decided).toEqual({ verdict: "refused", reason: "not now" });
  expect(isOutside()).toBe(false);
});

test("a form that a person closes is an answer, like each form where no other can be asked", async () => {
  const { approve, detach } = makeRun(1100);
  expect(await approve(REQUEST, {})).toBe("closed");
  expect(await makeRun(0, { hasPerson: false }).approve(REQUEST, {})).toBe("closed");
  expect(detach).not.toHaveBeenCalled();
});

test("the question of a durable run is in its log: no other place has it, and the client is free until it was answered there", async () => {
  const { approve, detach, resume, isOutside } = makeRun(0, { isDurable: true });
  let answer!: () => void;
  const decided = approve(REQUEST, { answered: new Promise<void>((resolve) => (answer = resolve)) });
  await vi.waitFor(() => expect(detach).toHaveBeenCalled());
  expect(detach.mock.calls[0]?.[0]).toMatchObject([
    {
      message: expect.stringContaining("The run waits for it, as long as that takes."),
      hint: expect.stringContaining("then call with the runId, also tomorrow."),
    },
  ]);
  expect([isOutside(), resume.mock.calls]).toEqual([false, []]);
  answer();
  expect(await decided).toBe("closed");
  expect(resume).toHaveBeenCalledOnce();
});

test("a request waits for calls side by side of a client that shows no forms, until a person has answered all of them", async () => {
  let answer!: () => void;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const outside: AskingRun = {
    ask: async () => ({ id: "run.1", verdict: answered.then(() => "granted" as const) }),
    askForServer: async () => undefined,
    end: async () => undefined,
  };
  const { runs } = makeRuns({ detachAfterMs: 60_000 });
  const request = { ...aRequest(), ask: async () => ({ action: "unavailable" }) as const };
  const begun = await runs.begin(async (run) => {
    const { approve } = makeAskers({
      ...{ outside, isDurable: false, capabilities: {}, run },
    });
    return answerOf((await Promise.all([1, 2, 3, 4, 5].map(() => approve(REQUEST, {})))).join());
  }, request);
  expect(begun).toMatchObject({ kind: "continues", findings: [{ code: "APPROVAL_REQUIRED" }] });
  if (begun.kind !== "continues") return;
  const ended = runs.wait(begun.id, request);
  expect(await Promise.race([ended, delay(50)])).toBeUndefined();
  answer();
  expect(await ended).toEqual({ kind: "ended", result: answerOf("granted,granted,granted,granted,granted") });
});

const QUESTION: ServerQuestion = { serverId: "files", lines: ["Who?"], mode: "form", fields: [] };
const signal = new AbortController().signal;

test("a question of a server that the client cannot show waits for the person outside of it, and the answer of the client counts else", async () => {
  const unseen = makeRun(0);
  const decided = unseen.ask(QUESTION, signal);
  await vi.waitFor(() => expect(unseen.detach).toHaveBeenCalled());
  expect(unseen.detach.mock.calls[0]?.[0]).toMatchObject([
    { code: "APPROVAL_REQUIRED", message: expect.stringContaining('The server "files" asks a person something') },
  ]);
  unseen.refuse();
  expect(await decided).toEqual({ action: "decline" });
  expect(unseen.resume).toHaveBeenCalledOnce();
  expect(await makeRun(1100).ask(QUESTION, signal)).toEqual({ action: "cancel" });
  expect(await makeRun(0, { hasPerson: false }).ask(QUESTION, signal)).toEqual({ action: "cancel" });
});

test("a server that has its answer says nothing about an approval that waits still", async () => {
  let decline!: () => void;
  const verdict = new Promise<{ action: "decline" }>((resolve) => (decline = () => resolve({ action: "decline" })));
  const outside: AskingRun = {
    ask: async () => ({ id: "run.1", verdict: new Promise(() => undefined) }),
    askForServer: async () => ({ id: "run.2", verdict }),
    end: async () => undefined,
  };
  const [detach, resume] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const run = { ask: async () => ({ action: "unavailable" }) as const, detach, resume, signal };
  const asking = makeAskers({ outside, isDurable: false, capabilities: FORMS, run });
  void asking.approve(REQUEST, {});
  const answered = asking.ask(QUESTION, signal);
  await vi.waitFor(() => expect(detach).toHaveBeenCalledTimes(2));
  decline();
  expect(await answered).toEqual({ action: "decline" });
  await delay(0);
  expect(resume).not.toHaveBeenCalled();
});

test("where the client may not answer, the person outside of it is asked alone", async () => {
  const reserved = makeRun(5000);
  const decided = reserved.askOutside?.(QUESTION, signal);
  await vi.waitFor(() => expect(reserved.detach).toHaveBeenCalled());
  reserved.refuse();
  expect(await decided).toEqual({ action: "decline" });
  expect(makeRun(0, { hasPerson: false }).askOutside).toBeUndefined();
});
