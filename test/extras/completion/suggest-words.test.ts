import { expect, test } from "vitest";
import { COMMANDS, GLOBAL_OPTIONS } from "../../../cli/commands.ts";
import { parseWords } from "../../../extras/completion/suggest-words.ts";
import { suggestWords } from "../../../extras/completion/suggest-words.ts";

const PROJECT = {
  servers: ["files", "git", "git-hub"],
  tools: ["files/read", "files/write", "git/log"].map((word) => ({ word })),
  scripts: [{ word: "nightly" }],
};

async function suggest(...words: string[]): Promise<string[]> {
  const typed = parseWords(words, { commands: COMMANDS, globalOptions: GLOBAL_OPTIONS });
  const { directive, words: found } = await suggestWords(typed, {
    commands: COMMANDS,
    globalOptions: GLOBAL_OPTIONS,
    project: async () => PROJECT,
    clients: async () => ["cursor", "codex"],
    shells: ["bash", "fish"],
  });
  return [directive, ...found.map(({ word }) => word)];
}

test.each([
  ["a command", ["ge"], ["words", "generate"]],
  ["any server, again and again", ["lock", "files", "gi"], ["words", "git", "git-hub"]],
  ["one server, where there is one", ["login", "git", ""], ["words"]],
  ["a server, before its tools", ["call", ""], ["open", "files/", "git/"]],
  ["the tools of the only server that is meant", ["call", "fi"], ["words", "files/read", "files/write"]],
  ["tools behind the slash", ["call", "files/w"], ["words", "files/write"]],
  ["servers as such, where a command takes them too", ["types", ""], ["words", "files", "git", "git-hub"]],
  ["scripts beside files", ["run", ""], ["files", "nightly"]],
  ["files for an option", ["run", "x.ts", "--input-file", ""], ["files"]],
  ["folders for an option", ["generate", "--out", ""], ["folders"]],
  ["the value of an option behind its sign, which bash cuts off", ["generate", "--out", "=", "x"], ["folders"]],
  ["the same, with nothing behind it", ["generate", "--out", "="], ["folders"]],
  ["servers for an option", ["search", "--server", "fi"], ["words", "files"]],
  ["kinds for an option", ["serve", "--surface", "s"], ["words", "search"]],
  ["nothing where only the user knows", ["add", ""], ["words"]],
  ["clients", ["install", "co"], ["words", "codex"]],
  ["shells", ["completion", ""], ["words", "bash", "fish"]],
  ["options of the command and of all", ["lock", "--c"], ["words", "--check", "--config", "--cwd"]],
  [
    "a short option and its long form",
    ["bundle", "-"],
    ["words", "-o", "--out", "--check", "--eval", "--frozen", "--config", "--cwd", "--trust", "--verbose", "--help"],
  ],
  ["all of the help, where it has more", ["run", "--al"], ["words", "--all"]],
  ["a command behind an option of all", ["--cwd", "x", "doc"], ["words", "doctor"]],
  ["files for another program's words", ["add", "x", "--", "no"], ["files"]],
  ["files behind a command that does not exist", ["nonsense", ""], ["files"]],
])("%s", async (_, words, expected) => {
  expect(await suggest(...words)).toEqual(expected);
});
