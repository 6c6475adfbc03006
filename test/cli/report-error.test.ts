import { expect, test } from "vitest";
import { reportError } from "../../cli/print/report.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";

test.each([false, true])("a message of a stranger moves no cursor of the terminal (verbose: %s)", (verbose) => {
  const words = "the server said \u001b[2J\rok \u202e";
  const mine = new Error(words);
  const theirs = new CodemodeError("SERVER_UNAVAILABLE", 3, words, words);
  for (const error of [mine, theirs]) {
    const lines: string[] = [];
    reportError(error, { result: () => undefined, note: (line) => lines.push(line) }, verbose);
    expect(lines.join("\n")).toContain("\\u001b[2J");
    for (const character of ["\u001b", "\r", "\u202e"]) expect(lines.join("\n")).not.toContain(character);
  }
});

test.each(["EROFS", "ENOSPC", "EACCES", "EMFILE"])(
  "a file system that refuses with %s is no bug of codemode",
  (code) => {
    const report = (error: Error): [number, string] => {
      const lines: string[] = [];
      const exitCode = reportError(error, { result: () => undefined, note: (line) => lines.push(line) }, false);
      return [exitCode, lines.join("\n")];
    };
    const path = "/srv/state/codemode/runs";
    expect(report(Object.assign(new Error(`${code}: mkdir`), { code, path, syscall: "mkdir" }))).toEqual([
      2,
      expect.stringMatching(new RegExp(`^error: Cannot access ${path}: ${code}\nhint: (?!This is a bug)`)),
    ]);
    const [exitCode, text] = report(Object.assign(new Error(`${code}: write`), { code, syscall: "write" }));
    expect([exitCode, text]).toEqual([2, expect.stringContaining(code)]);
    expect(report(Object.assign(new Error("a mistake"), { code }))).toEqual([1, expect.stringContaining("a bug")]);
  },
);
