import { expect, test } from "vitest";
import { describeOldAnswer, describeRetry, noteOpenQuestions } from "../../cli/print/note-open-questions.ts";
import type { ApprovalRequest } from "../../schemas/run/approval.ts";

const TOOLS: ApprovalRequest["tools"] = [{ serverId: "ledger", toolName: "pay", claims: {} } as never];
const CALL: ApprovalRequest = {
  ...{ tools: TOOLS, digest: "sha256-1" },
  call: { number: 1, input: { entry: "rent\u001b[2J" }, position: 1, total: 1, made: new Map() },
};

async function ask(request: ApprovalRequest, id: string | undefined): Promise<string[]> {
  const notes: string[] = [];
  const output = { note: (line: string) => void notes.push(line) } as never;
  const approve = noteOpenQuestions(async () => "unavailable", { output, signal: new AbortController().signal });
  expect(await approve(id === undefined ? request : { ...request, id })).toBe("unavailable");
  return notes;
}

test("without a terminal a durable run says what it waits for, and by which command exactly this question is answered", async () => {
  const notes = await ask(CALL, "x3kyk0BvCn5A-3w3-KlTVm.2");
  expect(notes.join("\n")).toContain("ledger/pay");
  expect(notes.join("\n")).toContain("rent");
  expect(notes.join("\n")).not.toContain("\u001b");
  expect(notes.slice(-2)).toEqual([
    "  codemode approvals x3kyk0BvCn5A-3w3-KlTVm.2 --approve",
    "  codemode runs x3kyk0BvCn5A-3w3-KlTVm --resume",
  ]);
});

test("a question that is in no log prints nothing", async () => {
  expect(await ask(CALL, undefined)).toEqual([]);
  expect(await ask({ tools: TOOLS, digest: "sha256-1" }, undefined)).toEqual([]);
});

test("an old answer is named as one", () => {
  const noon = new Date(2026, 10, 27, 12).getTime();
  expect(describeOldAnswer("x", noon)).toBe("Run x ended at 2026-11-27 12:00:00. This is its answer: nothing runs.");
});

test("a run that has failed names the command that tries it again, and no other run does", () => {
  expect(describeRetry({ id: "x", state: "ended", error: "UNCAUGHT_EXCEPTION" })).toEqual([
    "To make again what has failed, and nothing else: codemode runs x --retry",
  ]);
  expect(describeRetry({ id: "x", state: "ended", error: "RUN_CANCELLED" })).toEqual([]);
  expect(describeRetry({ id: "x", state: "blocked", error: "LOCK_DRIFT" })).toEqual([]);
  expect(describeRetry({ id: "x", state: "waiting" })).toEqual([]);
  expect(describeRetry(undefined)).toEqual([]);
});
