import { expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { ApprovalRequest, ApprovalVerdict, CallDecision } from "../../schemas/run/approval.ts";
import { askAboutCall, makeCallQuestion, readDecision, withInput } from "../../schemas/run/call-question.ts";
import type { PersonsReply, ServerQuestion } from "../../schemas/run/question.ts";

const INPUT: JsonObject = { path: "notes.txt", text: "word ".repeat(500) };
const REQUEST: ApprovalRequest = {
  tools: [{ serverId: "files", toolName: "write" }],
  digest: "sha256-x",
  call: { number: 1, input: INPUT, position: 1, total: 1, made: new Map() },
};

const accept = (decision: string, text = ""): PersonsReply => ({ action: "accept", content: { decision, text } });

/** What comes of these replies, and the lines of each question. */
async function askWith(replies: readonly PersonsReply[]) {
  const asked: string[][] = [];
  const verdict = await askAboutCall(REQUEST, async (question) => {
    asked.push(linesOf(question));
    return replies[Math.min(asked.length, replies.length) - 1] as PersonsReply;
  });
  return { verdict, asked };
}

function linesOf(question: ServerQuestion): string[] {
  return question.mode === "form" ? [...(question.lines ?? [])] : [];
}

test.each<[string, PersonsReply, ApprovalVerdict | CallDecision]>([
  ["allows it", accept("allow"), { verdict: "granted" }],
  ["refuses it", accept("refuse", "not now"), { verdict: "refused", reason: "not now" }],
  ["changes it", accept("change", '{"path":"b"}'), { verdict: "changed", input: { ...INPUT, path: "b" } }],
  ["declines the question", { action: "decline" }, "refused"],
  ["closes the question", { action: "cancel" }, "closed"],
  ["cannot be asked", { action: "unavailable" }, "unavailable"],
])("a person who %s is asked once", async (_, reply, verdict) => {
  const answer = await askWith([reply]);
  expect(answer.verdict).toEqual(verdict);
  expect(answer.asked).toHaveLength(1);
});

test("who wants to see the whole arguments is asked again with them, also after another answer", async () => {
  const { verdict, asked } = await askWith([accept("whole"), accept("change", "no JSON"), accept("allow")]);
  expect(verdict).toEqual({ verdict: "granted" });
  const whole = `  "text": ${JSON.stringify(INPUT["text"])}`;
  expect(asked.map((lines) => lines.includes(whole))).toEqual([false, true, true]);
  expect(asked.map(([first]) => first)).toEqual([
    "A script asks to make this call:",
    "A script asks to make this call:",
    'The text is no JSON object, such as {"path":"notes.txt"}.',
  ]);
});

test("an answer that says nothing is asked for five times", async () => {
  const { verdict, asked } = await askWith([{ action: "accept" }]);
  expect(verdict).toBe("closed");
  expect(asked).toHaveLength(5);
  expect(asked[1]?.[0]).toBe("Choose what is to happen.");
});

test("the question is codemode's own, and has two fields", () => {
  const question = makeCallQuestion(REQUEST);
  expect(question).toMatchObject({
    mode: "form",
    isOwn: true,
    serverId: "files",
    fields: [
      { name: "decision", isRequired: true, kind: "choice" },
      { name: "text", isRequired: false, kind: "text" },
    ],
  });
  const [choice] = question.mode === "form" ? question.fields : [];
  const values = choice?.kind === "choice" ? choice.choices.map(({ value, title }) => [value, title !== ""]) : [];
  expect(values).toEqual(
    ["allow", "allow-for-run", "refuse", "change", "answer", "whole"].map((value) => [value, true]),
  );
  expect(makeCallQuestion({ ...REQUEST, tools: [] })).toMatchObject({ serverId: "" });
});

test("a text that is no text says nothing", () => {
  expect(readDecision({ decision: "refuse", text: 3 }, {})).toEqual({ verdict: "refused" });
  expect(readDecision({ decision: "answer" }, {})).toEqual({ verdict: "answered", result: "" });
});

test("a change has the arguments that stay, and other verdicts are passed on", () => {
  expect(withInput({ verdict: "changed", input: { path: "b" } }, REQUEST)).toEqual({
    verdict: "changed",
    input: { ...INPUT, path: "b" },
  });
  const { call: _, ...script } = REQUEST;
  expect(withInput({ verdict: "changed", input: { path: "b" } }, script)).toEqual({
    verdict: "changed",
    input: { path: "b" },
  });
  for (const verdict of ["granted", { verdict: "granted", forRun: true }] as const)
    expect(withInput(verdict, REQUEST)).toBe(verdict);
});
