import { expect, test } from "vitest";
import { LATE, toCallResult } from "../../serve/long-runs/print-run-news.ts";
import { parseRunReference } from "../../serve/surfaces/parse-script-request.ts";
import { toTaskResult } from "../../serve/long-runs/tasks.ts";
import { toRunResult } from "../../serve/surfaces/run-tool.ts";

const DONE = toRunResult({ logs: [], result: "done", diagnostics: [], toolTrace: [] });
const ID = "r".repeat(22);
const BEGUN = Date.UTC(2026, 0, 2, 3, 4, 5);
const FINDING = { severity: "warning", code: "APPROVAL_PENDING", message: "It waits.", hint: "Approve it." } as never;
const RUN = { id: ID, begunAt: BEGUN, isCancelled: false, findings: [] };

test("the answer of a run is the answer to its request", () => {
  expect(toCallResult({ kind: "ended", result: DONE }, "run")).toBe(DONE);
});

test("a run that goes on is answered with its id, its logs, what it waits for, and how to wait for it", () => {
  const logs = [{ level: "log", message: "one", timeMs: 0 } as const];
  const { structuredContent } = toCallResult({ kind: "continues", id: ID, logs, findings: [FINDING] }, "my.run");
  expect(structuredContent).toMatchObject({ runId: ID, logs, result: null });
  expect(structuredContent?.["diagnostics"]).toEqual([
    FINDING,
    {
      ...{ severity: "info", code: "RUN_CONTINUES", message: "The run is not over yet." },
      hint: expect.stringContaining(`Call my.run with { "runId": "${ID}" } alone`),
    },
  ]);
});

test("a run that is not there is lost, under any id", () => {
  expect(toCallResult({ kind: "lost" }, "run").structuredContent).toMatchObject({
    diagnostics: [{ severity: "error", code: "RUN_LOST", message: expect.stringContaining("within 10 minutes") }],
  });
});

test("an answer that was not used is said beside what the request gets", () => {
  const late = { ...LATE };
  const ended = toCallResult({ kind: "ended", result: DONE, isLate: true }, "run");
  expect(ended.structuredContent).toEqual({ ...DONE.structuredContent, diagnostics: [late] });
  expect(ended.content.at(-1)).toMatchObject({ text: expect.stringContaining("ANSWER_UNUSED") });
  const going = toCallResult({ kind: "continues", id: ID, logs: [], findings: [], isLate: true }, "run");
  expect(going.structuredContent).toMatchObject({ diagnostics: [late, { code: "RUN_CONTINUES" }] });
  // What is no answer of a run has no findings.
  const plain = { content: [{ type: "text", text: "done" }] };
  expect(toCallResult({ kind: "ended", result: plain, isLate: true }, "run")).toEqual({
    content: [...plain.content, { type: "text", text: expect.stringContaining("not used") }],
  });
});

test.each([
  [[], undefined],
  ["text", undefined],
  [undefined, undefined],
  [{ code: "1" }, undefined],
  [{ code: "1", runId: null }, undefined],
  [{ runId: "a" }, { runId: "a", cancel: false }],
  [
    { runId: "a", code: "", script: null, cancel: true },
    { runId: "a", cancel: true },
  ],
  [{ runId: 5 }, { problem: 'The argument "runId" must be a string.', hint: expect.any(String) }],
  [
    { runId: "a", script: "x" },
    { problem: 'The arguments hold both "runId" and a program.', hint: expect.any(String) },
  ],
  [{ runId: undefined }, undefined],
  [{ runId: "" }, { runId: "", cancel: false }],
  [
    { runId: "a", cancel: null },
    { runId: "a", cancel: false },
  ],
  [
    { runId: "a", cancel: false, code: null, script: "" },
    { runId: "a", cancel: false },
  ],
  [
    { runId: "a", cancel: 1 },
    { problem: 'The argument "cancel" must be true or false.', hint: expect.any(String) },
  ],
  [
    { runId: "a", code: 0 },
    { problem: 'The arguments hold both "runId" and a program.', hint: expect.any(String) },
  ],
  [
    { runId: "a", other: "x" },
    { runId: "a", cancel: false },
  ],
])("the arguments %j refer to a run as %j", (input, expected) => {
  expect(parseRunReference(input as never)).toEqual(expected);
});

test.each([
  [{}, { status: "working", ttlMs: null }],
  [{ isCancelled: true }, { status: "working", ttlMs: null }],
  [{ ended: { at: BEGUN + 1000, result: DONE } }, { status: "completed", ttlMs: 601_000 }],
  [{ ended: { at: BEGUN + 1000 } }, { status: "failed", ttlMs: 601_000 }],
  [
    { ended: { at: BEGUN + 1000 }, isCancelled: true },
    { status: "cancelled", ttlMs: 601_000 },
  ],
  [
    { ended: { at: BEGUN + 1000, result: DONE }, isCancelled: true },
    { status: "cancelled", ttlMs: 601_000 },
  ],
])("as a task the run %j is %j", (state, expected) => {
  const { lastUpdatedAt, ...task } = toTaskResult({ ...RUN, ...state });
  const more = { resultType: "task", taskId: ID, createdAt: "2026-01-02T03:04:05.000Z", pollIntervalMs: 2000 };
  expect(task).toEqual({ ...more, ...expected });
  if ("ended" in state) expect(lastUpdatedAt).toBe("2026-01-02T03:04:06.000Z");
  else expect(Date.parse(lastUpdatedAt as string)).toBeGreaterThan(Date.now() - 60_000);
});

test("a task says what its run waits for", () => {
  expect(toTaskResult({ ...RUN, findings: [FINDING] })["statusMessage"]).toBe("It waits. Approve it.");
  const bare = { severity: "info", code: "RUN_CONTINUES", message: "It waits." } as const;
  expect(toTaskResult({ ...RUN, findings: [bare] })["statusMessage"]).toBe("It waits.");
});
