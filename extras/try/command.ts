import type { Command } from "../../cli/command.ts";
import { tryExample } from "./try-example.ts";
import { printTrial } from "./print-trial.ts";

const NEXT = [
  "",
  "Start with your own servers:",
  "  codemode init                      takes those of your MCP clients",
  "  codemode add NAME -- COMMAND       or --url ADDRESS, or --openapi DOCUMENT",
  "  codemode install claude-code       or cursor, vscode, and others: your agent has the tool",
];

/** `codemode try`: shows what codemode does, with three small servers of its own in a temporary folder. */
export const tryOut: Command = async ({ context }) => {
  const { story, trial } = await tryExample(context.signal);
  for (const line of [...printTrial(story, trial), ...NEXT]) context.output.result(line);
  return 0;
};
