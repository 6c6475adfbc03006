import { expect, test, vi } from "vitest";
import { makeAdmission, admitView } from "../../serve/admission/admission.ts";
import type { ScriptRequest, ServedAnswer, ServedView, SurfaceCall } from "../../serve/surface.ts";
import type { Approve } from "../../schemas/run/approval.ts";
import type { HostEvent, RequestEvent } from "../../schemas/run/events.ts";
import { failedAnswer } from "../../schemas/run/answer.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";

const SCRIPT: ScriptRequest = { code: "", limits: {}, requestedCapabilities: [] };
const CALL: SurfaceCall = {
  signal: new AbortController().signal,
  approve: async () => "unavailable",
};

/** A view that does nothing, and counts what it is asked for. */
function makeCountingView(): ServedView & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    lockfile: () => ({ servers: new Map() }),
    refresh: async () => undefined,
    limits: DEFAULTS.limits,
    savedScripts: async () => [],
    hasScript: async () => false,
    run: async () => {
      asked.push("run");
      return failedAnswer([]);
    },
    callTool: async () => {
      asked.push("tool");
      return { content: [] };
    },
  };
}

test("scripts and plain tool calls use up the same allowance, and refusals are answers of either kind", async () => {
  const view = makeCountingView();
  const admission = makeAdmission({ queue: DEFAULTS.serve.queue, rateLimit: { runsPerMinute: 2 } });
  const admitted = admitView(view, admission, "a");
  await admitted.run(SCRIPT, CALL);
  await admitted.callTool("files", "read", {}, CALL);
  expect((await admitted.run(SCRIPT, CALL)).diagnostics).toMatchObject([{ severity: "error", code: "RATE_LIMITED" }]);
  expect(await admitted.callTool("files", "read", {}, CALL)).toMatchObject({
    content: [{ type: "text", text: expect.stringMatching(/^RATE_LIMITED: .* Try again in \d+ s\.$/) }],
    isError: true,
  });
  expect(view.asked).toEqual(["run", "tool"]);
});

test("a run that waits for a person before its script runs takes no place, and so many wait at a time", async () => {
  const admission = makeAdmission({ queue: { maxRunning: 1, maxWaiting: 0 } });
  const answers: ((verdict: "granted") => void)[] = [];
  const approve: Approve = () => new Promise((resolve) => answers.push(resolve));
  const view = {
    ...makeCountingView(),
    run: async (_request: ScriptRequest, call: SurfaceCall) => {
      const verdict = await call.approve({ tools: [], digest: "sha256-x" });
      return { ...failedAnswer([]), result: verdict as string };
    },
  };
  const admitted = admitView(view, admission, "a");
  const waiting: Promise<ServedAnswer>[] = [];
  for (let at = 0; at < 100; at += 1) {
    waiting.push(admitted.run(SCRIPT, { ...CALL, approve }));
    await vi.waitFor(() => expect(answers).toHaveLength(at + 1));
  }
  expect(admission.state()).toEqual({ running: 0, waiting: 0 });
  expect(await admitted.run(SCRIPT, { ...CALL, approve })).toMatchObject({ result: "unavailable" });
  for (const [at, answer] of answers.entries()) {
    answer("granted");
    expect(await waiting[at]).toMatchObject({ result: "granted" });
  }
  expect(admission.state()).toEqual({ running: 0, waiting: 0 });
});

test("every run and call leaves its place when it is over, one that fails too", async () => {
  const view = { ...makeCountingView(), callTool: () => Promise.reject(new Error("no server")) };
  const admission = makeAdmission({ queue: { maxRunning: 1, maxWaiting: 0 } });
  const [failing, admitted] = [admitView(view, admission, "a"), admitView(makeCountingView(), admission, "a")];
  for (let round = 0; round < 3; round += 1) {
    await expect(failing.callTool("files", "read", {}, CALL)).rejects.toThrow("no server");
    expect(await admitted.callTool("files", "read", {}, CALL)).toEqual({ content: [] });
    expect(await admitted.run(SCRIPT, CALL)).toEqual(failedAnswer([]));
  }
  expect(admission.state()).toEqual({ running: 0, waiting: 0 });
});

test("a run that fails leaves its place to the next", async () => {
  const view = { ...makeCountingView(), run: () => Promise.reject(new Error("no sandbox")) };
  const admitted = admitView(view, makeAdmission({ queue: { maxRunning: 1, maxWaiting: 0 } }), "a");
  await expect(admitted.run(SCRIPT, CALL)).rejects.toThrow("no sandbox");
  expect(await admitted.callTool("files", "read", {}, CALL)).toEqual({ content: [] });
});

test("what is cancelled before it has begun does not begin", async () => {
  const view = makeCountingView();
  const admitted = admitView(view, makeAdmission({ queue: DEFAULTS.serve.queue }), "a");
  const answer = await admitted.run(SCRIPT, { ...CALL, signal: AbortSignal.abort() });
  expect(answer.diagnostics).toMatchObject([{ code: "RUN_CANCELLED" }]);
  expect(view.asked).toEqual([]);
});

/** Records the events of a host and of its requests. */
function makeWitness() {
  const seen: unknown[] = [];
  const emit = (event: HostEvent): void => void seen.push(event);
  const emitRequest = (event: RequestEvent): void =>
    void seen.push(event.type === "request-failed" ? event.code : event.type);
  return { seen, events: { emit, open: () => emit }, call: { ...CALL, emitRequest } };
}

test("listeners hear who was let in, and who was turned away for what", async () => {
  const { seen, events, call } = makeWitness();
  const admission = makeAdmission({ queue: DEFAULTS.serve.queue, rateLimit: { runsPerMinute: 1 } });
  const named = admitView(makeCountingView(), admission, "a", events);
  const unnamed = admitView(makeCountingView(), admission, "", events);
  await named.run(SCRIPT, call);
  await named.run(SCRIPT, call);
  await unnamed.callTool("files", "read", {}, call);
  await unnamed.callTool("files", "read", {}, call);
  expect(seen).toEqual([
    "request-admitted",
    { type: "run-turned-away", code: "RATE_LIMITED", client: "a" },
    "RATE_LIMITED",
    "request-admitted",
    { type: "run-turned-away", code: "RATE_LIMITED" },
    "RATE_LIMITED",
  ]);
});

test("an answer with an error has failed with its code, and one with warnings has not", async () => {
  const answering = (...severities: ("error" | "warning")[]) => ({
    ...makeCountingView(),
    run: async () =>
      failedAnswer(
        severities.map((severity, index) => ({
          severity,
          code: index === 0 ? "TYPE_ERROR" : "LOCK_DRIFT",
          message: "",
        })),
      ),
  });
  const admission = makeAdmission({ queue: DEFAULTS.serve.queue });
  const codesOf = async (...severities: ("error" | "warning")[]) => {
    const { seen, call } = makeWitness();
    await admitView(answering(...severities), admission, "a").run(SCRIPT, call);
    return seen;
  };
  expect(await codesOf("warning")).toEqual(["request-admitted"]);
  expect(await codesOf("error", "error")).toEqual(["request-admitted", "TYPE_ERROR"]);
  expect(await codesOf("warning", "error")).toEqual(["request-admitted", "LOCK_DRIFT"]);
  const silent = admitView(answering("error"), admission, "a");
  expect((await silent.run(SCRIPT, CALL)).diagnostics).toHaveLength(1);
});

test("what is refused is said in whole sentences", async () => {
  const admission = makeAdmission({ queue: { maxRunning: 1, maxWaiting: 0 } });
  const admitted = admitView(makeCountingView(), admission, "a");
  const running = await admission.enter("b", { signal: CALL.signal, isResumed: false });
  const textOf = async (call: SurfaceCall) => (await admitted.callTool("files", "read", {}, call)).content;
  expect(await textOf(CALL)).toEqual([
    {
      type: "text",
      text: "QUEUE_FULL: Too many scripts are waiting to run. The script did not run. Try again in 1 s.",
    },
  ]);
  expect(await textOf({ ...CALL, signal: AbortSignal.abort() })).toEqual([
    { type: "text", text: "RUN_CANCELLED: The run was cancelled before it started." },
  ]);
  if (running.kind === "admitted") running.leave();
  expect(admission.state()).toEqual({ running: 0, waiting: 0 });
});
