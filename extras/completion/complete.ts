import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { COMMANDS } from "../../cli/commands.ts";
import { GLOBAL_OPTIONS } from "../../cli/global-options.ts";
import { parseWords } from "./parse-words.ts";
import { readProjectNames } from "./read-project-names.ts";
import { SHELLS } from "./shells.ts";
import { suggestWords } from "./suggest-words.ts";
import type { Suggestion } from "./suggestion.ts";

const LONGEST_DESCRIPTION = 80;

/**
 * `codemode complete -- WORDS`, which completion scripts run: a line with the directive, then a line for each word, with its description
 * behind a tab. Without `--` there is a dot in front of each word.
 */
export async function complete(argv: readonly string[]): Promise<string> {
  const words = argv[0] === "--" ? argv.slice(1) : argv.map((word) => word.slice(1));
  const typed = parseWords(words, { commands: COMMANDS, globalOptions: GLOBAL_OPTIONS });
  const { directive, words: suggested } = await suggestWords(typed, {
    commands: COMMANDS,
    globalOptions: GLOBAL_OPTIONS,
    project: async () => readProjectNames(typed.values),
    clients: async () => (await import("../../engine/project/clients/client-files.ts")).CLIENT_IDS,
    shells: SHELLS,
  });
  return [directive, ...suggested.map(printSuggestion)].join("\n");
}

function printSuggestion({ word, description }: Suggestion): string {
  if (description === undefined) return word;
  const line = oneLine(description).replaceAll("\t", " ");
  return `${word}\t${line.length > LONGEST_DESCRIPTION ? `${line.slice(0, LONGEST_DESCRIPTION - 1)}…` : line}`;
}
