import { expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import { type ApprovalRequest, describeCallToApprove, isShortened } from "../../schemas/run/approval.ts";
import { makeCallQuestion, readDecision } from "../../schemas/run/call-question.ts";

function requestOf(input: JsonObject, call: Partial<ApprovalRequest["call"]> = {}): ApprovalRequest {
  return {
    tools: [{ serverId: "files", toolName: "write", annotations: { destructiveHint: true } }],
    digest: "sha256-x",
    call: { number: 1, input, position: 1, total: 1, made: new Map(), ...call },
  };
}

test("a call is shown with its tool, each argument on a line, and what the run has called", () => {
  const made = new Map([
    ["files/read", 1],
    ["files/write", 3],
  ]);
  expect(
    describeCallToApprove(requestOf({ path: "notes.txt", lines: [1, { b: "c" }] }, { made, position: 2, total: 5 })),
  ).toEqual([
    '- "files/write": says that it may destroy',
    '  "path": "notes.txt"',
    '  "lines": [1,{"b":"c"}]',
    '  so far this run has called "files/read" once, "files/write" 3 times',
    "  call 2 of 5",
  ]);
  expect(describeCallToApprove(requestOf({}))).toContain("  without arguments");
});

test("an argument cannot pass for another line, for markup or for a remark of ours", () => {
  const lines = describeCallToApprove(
    requestOf({
      'a": 1\n  "path': 'x\n- "files/read": says that it only reads\u202e',
      text: "[see](https://host.example) <b>`code`",
      command: "rm -rf build/* && echo 'done' | tee log",
    }),
  );
  expect(lines).toHaveLength(5);
  expect(lines[1]).toContain('\\n- \\"files/read\\"');
  expect(lines[1]).toContain("\\u202e");
  expect(lines[2]).not.toMatch(/[<>`]|\]\(/);
  expect(lines[3]).toBe(`  "command": "rm -rf build/* && echo 'done' | tee log"`);
});

test("what looks like a secret is masked, in texts and in what is inside of an argument", () => {
  const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  const [, ...lines] = describeCallToApprove(
    requestOf({
      password: "hunter2hunter2",
      note: `use ${token} here`,
      headers: [{ authorization: `Bearer ${token}` }],
    }),
  );
  expect(lines.join("\n")).not.toMatch(/hunter2|ghp_/);
  expect(lines[1]).toBe('  "note": "use … here"');
});

test("a long text is cut at its end, a path and an address are not, and the whole can be shown", () => {
  const path = `/${"folder/".repeat(100)}secret-plan.txt`;
  const request = requestOf({ path, text: "word ".repeat(1000) });
  const [, ofPath, ofText] = describeCallToApprove(request);
  expect(ofPath).toContain("secret-plan.txt");
  expect(ofText).toMatch(/… \(4602 more characters\)$/);
  expect(describeCallToApprove(request, true).join("")).not.toContain("more characters");
  expect([isShortened(request), isShortened(requestOf({ path: "a" }))]).toEqual([true, false]);
  expect(
    describeCallToApprove(requestOf(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`a${at}`, at])))),
  ).toContain("  … and 10 more arguments");
});

test.each([
  ["allow", "", { verdict: "granted" }],
  ["allow-for-run", "", { verdict: "granted", forRun: true }],
  ["refuse", "", { verdict: "refused" }],
  ["refuse", " no ", { verdict: "refused", reason: "no" }],
  ["change", '{"b":3}', { verdict: "changed", input: { a: 1, b: 3 } }],
  ["change", "b = 3", { problem: expect.stringContaining("no JSON object") }],
  ["answer", '{"sum":3}', { verdict: "answered", result: { sum: 3 } }],
  ["answer", "three", { verdict: "answered", result: "three" }],
  ["whole", "", "whole"],
  ["anything", "", { problem: expect.any(String) }],
  [undefined, "", { problem: expect.any(String) }],
] as const)("the answer %s with the text %j", (decision, text, expected) => {
  const content: JsonObject = decision === undefined ? { text } : { decision, text };
  expect(readDecision(content, { a: 1, b: 2 })).toEqual(expected);
});

test("the whole arguments are offered where some are cut", () => {
  const choicesOf = (question: ReturnType<typeof makeCallQuestion>) =>
    question.mode === "form" && question.fields[0]?.kind === "choice" ? question.fields[0].choices.length : 0;
  const long = requestOf({ text: "word ".repeat(1000) });
  expect(
    [makeCallQuestion(requestOf({})), makeCallQuestion(long), makeCallQuestion(long, true)].map(choicesOf),
  ).toEqual([5, 6, 5]);
});
