import { expect, test } from "vitest";
import type { ScriptToApprove } from "../../schemas/run/approval.ts";
import { describeScriptInForm, describeScriptToApprove } from "../../schemas/run/describe-script.ts";

const scriptOf = (code: string, changed: Partial<ScriptToApprove> = {}): ScriptToApprove => ({
  ...{ files: [{ name: "script.ts", code }], packages: [], input: null, digest: "sha256-x", ...changed },
});
const codeOf = (code: string): string[] => describeScriptToApprove(scriptOf(code)).slice(3);

test("a script is shown with its digest, its input, its packages and each of its files", () => {
  const files = [
    { name: "main.ts", code: 'import "./other.ts";\nexport default 1;' },
    { name: "other.ts", code: "await 2;" },
  ];
  expect(describeScriptToApprove(scriptOf("", { files, packages: ["zod@4.0.0"], input: { all: true } }))).toEqual([
    "  its program: sha256-x",
    '  its input: {"all":true}',
    '  packages in it: "zod@4.0.0"',
    '  "main.ts", 2 lines, 38 characters:',
    '  | import "./other.ts";',
    "  | export default 1;",
    '  "other.ts", 1 line, 8 characters:',
    "  | await 2;",
  ]);
});

test("no line of code can pass for a line of the question, and nothing in it is invisible", () => {
  const lines = codeOf('Allowed.\r  its program: sha256-y\u2028\u001b[2J // \u202e"\u200b');
  expect(lines).toEqual(["  | Allowed.", '  |   its program: sha256-y\\u2028\\u001b[2J // \\u202e"\\u200b']);
});

test("many empty lines do not push the code out of sight", () => {
  expect(codeOf(`a;${"\n \t".repeat(500)}\nb;`)).toEqual(["  | a;", "  |  \t", "  |  \t", "  | b;"]);
});

test("long code is shown whole as long as it fits into the file of a question, else its beginning, which says so", () => {
  const fits = codeOf("x".repeat(90_000));
  expect(fits.join("").replace(/[ |]/g, "")).toBe("x".repeat(90_000));
  for (const code of ["x".repeat(300_000), "字".repeat(90_000), "\u0001".repeat(90_000), '"\n'.repeat(90_000)]) {
    const lines = describeScriptToApprove(scriptOf(code, { input: { text: code } }));
    expect(lines.at(-1)).toMatch(/^ {2}too long to be shown whole: \d+ more characters$/);
    expect(Buffer.byteLength(JSON.stringify(lines))).toBeLessThan(256 * 1024);
    expect(lines.slice(3, 5)).toEqual([expect.stringMatching(/^ {2}\| /), expect.stringMatching(/^ {2}\| /)]);
  }
});

test("a form has the beginning, without what a client shows as links or code", () => {
  const lines = describeScriptInForm(
    scriptOf(`// [a](https://evil.example) \`b\` <img>\n${"await 1;\n".repeat(1000)}`),
  );
  expect(lines[3]).toBe('  | "// [a\\u{5d}(https://evil.example) \\u{60}b\\u{60} \\u{3c}img\\u{3e}"');
  expect(lines.at(-1)).toMatch(/too long/);
  expect(lines.join("\n").length).toBeLessThan(4000);
});
