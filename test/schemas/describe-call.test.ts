import { createHash } from "node:crypto";
import { makeValueMask } from "../../schemas/secrets/mask-values.ts";
import { describeCallToApprove, isShortened, withView } from "../../schemas/run/describe-call.ts";
import { expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { ApprovalRequest, CallToApprove } from "../../schemas/run/approval.ts";
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

test("nothing is left out because it looks like a secret: a person decides about it", () => {
  const input = {
    key: "backups/prod-db-2026-11-20.tar.gz",
    file_id: "1aZ9kQ2xW7mN4bV8cL3pR6tY0uI5oE1sD9fG2hJ7kXqW",
    address: "0x71C7656EC7ab88b098defB751B7401B5f6d8976F",
    password: "hunter2hunter2",
    hook: "https://hooks.example/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
    headers: [{ authorization: "Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a" }],
  };
  for (const isWhole of [true, false]) {
    const lines = describeCallToApprove(requestOf(input), isWhole);
    for (const [at, [name, value]] of Object.entries(input).entries())
      expect(lines[at + 1]).toBe(`  "${name}": ${JSON.stringify(value)}`);
  }
});

test("a credential of the configuration is named, where no text of a script can stand", () => {
  const { split } = makeValueMask([["API_KEY", "s3cret-of-the-host"]]);
  const request = requestOf({
    header: "Bearer s3cret-of-the-host",
    whole: "s3cret-of-the-host",
    parts: ["s3cret-of-the-host and more", { "x s3cret-of-the-host": 1 }],
    claimed: "a credential of API_KEY",
  });
  withView(request.call as CallToApprove, { parameters: [], split });
  expect(describeCallToApprove(request, true).slice(1, 5)).toEqual([
    '  "header": "Bearer " + a credential of "API_KEY"',
    '  "whole": a credential of "API_KEY"',
    '  "parts": [a credential of "API_KEY" + " and more",{"x " + a credential of "API_KEY":1}]',
    '  "claimed": "a credential of API_KEY"',
  ]);
  expect(JSON.stringify(request)).toBe(JSON.stringify({ ...request, call: { ...request.call } }));
});

test("arguments that the tool declares come first, also where a script adds others", () => {
  const junk = Object.fromEntries(Array.from({ length: 35 }, (_, at) => [String(at), at]));
  const request = requestOf({ ...junk, mode: "fast", path: "/etc/passwd" });
  withView(request.call as CallToApprove, { parameters: ["path", "mode", "absent"], split: (text) => [text] });
  const [, first, second, third, ...rest] = describeCallToApprove(request);
  expect([first, second, third]).toEqual(['  "path": "/etc/passwd"', '  "mode": "fast"', '  "0": 0']);
  expect(rest).toContain("  … and 7 more arguments");
  expect(describeCallToApprove(request, true)).toContain('  "34": 34');
});

test.each([
  "\u00a0",
  "\u1680",
  "\u2003",
  "\u2007",
  "\u202f",
  "\u205f",
  "\u2800",
  "\u3000",
  "\ufffc",
  "\u0338",
  "\u20dd",
  "\u0489",
  "  ",
])("the look-alike %j is an escape, in a text, in a name and inside of an argument", (sign) => {
  const lines = describeCallToApprove(
    requestOf({ [`a${sign}b`]: `a${sign.repeat(50)}b`, list: [{ [`c${sign}`]: sign }] }),
    true,
  );
  const shown = sign === "  " ? "\\u{20}" : `\\u{${sign.codePointAt(0)?.toString(16)}}`;
  expect(lines[1]?.split(shown).length).toBeGreaterThan(25);
  expect(lines[2]?.split(shown)).toHaveLength(3);
  if (sign !== "  ") expect(lines.join("")).not.toContain(sign);
});

test("marks that are piled on a letter are escapes, and accents are not", () => {
  const [, line] = describeCallToApprove(requestOf({ text: `cafe\u0301 x${"\u0336\u0301".repeat(20)}` }));
  expect(line).toContain("cafe\u0301");
  expect(line?.match(/\\u\{/g)?.length).toBeGreaterThan(30);
});

test("a long text is shown by its head and tail, its length and its digest, a path and an address whole", () => {
  const path = `/${"folder/".repeat(100)}secret-plan.txt`;
  const text = `begin ${"word ".repeat(100_000)}end`;
  const request = requestOf({ path, text });
  const [, ofPath, ofText = ""] = describeCallToApprove(request);
  expect(ofPath).toContain("secret-plan.txt");
  expect(ofText).toMatch(
    /^ {2}"text": "begin word .* … \(\d+ more characters\) … .*word end" \(500009 characters, SHA-256 [0-9a-f]{64}\)$/,
  );
  expect(ofText).toContain(createHash("sha256").update(text).digest("hex"));
  expect(ofText.length).toBeLessThan(700);
  expect(describeCallToApprove(request, true)[2]).toBe(`  "text": ${JSON.stringify(text)}`);
  expect([isShortened(request), isShortened(requestOf({ path: "a" }))]).toEqual([true, false]);
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

test("a question without a call has no lines of one", () => {
  expect(describeCallToApprove({ tools: [], digest: "sha256-x" })).toEqual([]);
  expect(isShortened({ tools: [], digest: "sha256-x" })).toBe(false);
});

test("why an answer could not be used, a lost answer and the place of the call are lines of their own", () => {
  const lines = describeCallToApprove(requestOf({}, { problem: "no\nsum", isInDoubt: true, place: "s.ts:3:7" }));
  expect(lines[0]).toBe('The answer could not be used: "no\\nsum".');
  expect(lines.slice(1, 3).join(" ")).toMatch(/^codemode was ended while this call was under way.*Refuse it to stop/);
  expect(lines).toContain('  in the script at "s.ts:3:7"');
  const plain = describeCallToApprove(requestOf({}));
  expect(plain).toEqual([
    '- "files/write": says that it may destroy',
    "  without arguments",
    "  so far this run has called nothing",
  ]);
});

test("what the run has called is listed up to ten tools", () => {
  const lineOf = (count: number) => {
    const made = new Map(Array.from({ length: count }, (_, at) => [`files/t${at}`, 1]));
    return describeCallToApprove(requestOf({}, { made })).at(-1);
  };
  expect(lineOf(10)).toMatch(/"files\/t9" once$/);
  expect(lineOf(11)).toMatch(/"files\/t9" once, …$/);
});

test.each([30, 31])("of %i arguments thirty are shown", (count) => {
  const request = requestOf(Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, at])));
  const shown = describeCallToApprove(request).filter((line) => /^ {2}"a\d+": /.test(line));
  expect(shown).toHaveLength(30);
  expect(isShortened(request)).toBe(count > 30);
  expect(describeCallToApprove(request).includes("  … and 1 more arguments")).toBe(count > 30);
});

// The quotes are counted too.
test.each([
  ["a text", "x".repeat(398), "x".repeat(399)],
  ["a text with blanks and a slash", `a / ${"x".repeat(394)}`, `a / ${"x".repeat(395)}`],
  ["a path", `/${"x".repeat(4093)}`, `/${"x".repeat(4094)}`],
  ["a path of Windows", `C:\\${"x".repeat(4090)}`, `C:\\${"x".repeat(4091)}`],
])("%s is shown whole up to its limit", (_, whole, cut) => {
  expect([whole, cut].map((text) => isShortened(requestOf({ text })))).toEqual([false, true]);
});

test("what is left out is counted, also of a value that is no text", () => {
  const list = Array.from({ length: 300 }, () => 12);
  const [, line = ""] = describeCallToApprove(requestOf({ list, flag: null }));
  const printed = JSON.stringify(list);
  expect(line).toBe(
    `  "list": ${printed.slice(0, 300)} … (${printed.length - 400} more characters) … ${printed.slice(-100)} (${printed.length} characters, SHA-256 ${createHash("sha256").update(printed).digest("hex")})`,
  );
  expect(describeCallToApprove(requestOf({ flag: null, none: "" })).slice(1, 3)).toEqual([
    '  "flag": null',
    '  "none": ""',
  ]);
});

test("a long text with a credential has no digest, which would help to guess it", () => {
  const { split } = makeValueMask([["API_KEY", "s3cret-of-the-host"]]);
  const request = requestOf({ text: `${"word ".repeat(200)}s3cret-of-the-host` });
  withView(request.call as CallToApprove, { parameters: [], split });
  const [, line] = describeCallToApprove(request);
  expect(line).toMatch(/\(1018 characters\)$/);
  expect(line).not.toContain("SHA-256");
});
