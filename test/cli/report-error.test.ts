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
