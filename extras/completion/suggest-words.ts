import type { CommandSpec, OptionSpec } from "../../cli/command.ts";
import { flagsOf, type TypedWords, parseWords } from "./parse-words.ts";
import { type ProjectNames, readProjectNames, type Suggestion } from "./read-project-names.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../../cli/commands.ts";
import { SHELLS } from "./command.ts";

/** Words that could stand in the place of the one that is typed. */
export interface Suggestions {
  /** What the shell offers beside them; `open` words are not finished, so that no blank follows. */
  directive: "files" | "folders" | "open" | "words";
  words: readonly Suggestion[];
}

/** Where names come from. They are read only where they are needed. */
export interface SuggestionSources {
  commands: readonly CommandSpec[];
  globalOptions: readonly OptionSpec[];
  project: () => Promise<ProjectNames>;
  clients: () => Promise<readonly string[]>;
  shells: readonly string[];
}

const FILES: Suggestions = { directive: "files", words: [] };

/** What could be meant. Only words that begin like the one that is typed, and that no shell could read as anything else. */
export async function suggestWords(typed: TypedWords, sources: SuggestionSources): Promise<Suggestions> {
  const { directive, words } = await suggestAll(typed, sources);
  return { directive, words: words.filter(({ word }) => word.startsWith(typed.current) && isHarmless(word)) };
}

/**
 * Names of servers, tools and scripts are strangers'. bash puts a word into the line as it is: one with a blank, a quote or a
 * `$` in it would be another command. Such names have to be typed. A word is not taken for an option either.
 */
function isHarmless(word: string): boolean {
  return /^(?:-{1,2}[a-z][a-z-]*|[A-Za-z0-9_@][A-Za-z0-9_@%+:,./-]*)$/.test(word);
}

function suggestAll(typed: TypedWords, sources: SuggestionSources): Promise<Suggestions> | Suggestions {
  const { current, command, option, isForeign } = typed;
  if (isForeign) return FILES;
  if (option !== undefined) return suggestFor(/<([^>]*)>/.exec(option.flag)?.[1] ?? "", current, sources);
  if (current.startsWith("-")) return { directive: "words", words: listFlags(command, sources) };
  if (command === undefined) return { directive: "words", words: sources.commands.map(toCommandWord) };
  return suggestFor(placeOf(command, typed.args.length), current, sources);
}

/** The name of the argument in that place of a usage such as `lock [...servers]`; "" where none belongs there. */
function placeOf({ usage }: CommandSpec, index: number): string {
  const places = usage
    .split(" ")
    .slice(1)
    .map((word) => word.slice(1, -1));
  const place = places[index] ?? (places.at(-1)?.startsWith("...") === true ? places.at(-1) : undefined);
  return place?.replace("...", "") ?? "";
}

/** What can stand in places that need no look at a project, by the name of the place. */
const KNOWN_PLACES: ReadonlyMap<string, Suggestions> = new Map([
  ["file", FILES],
  ["recording", FILES],
  ["dir", { directive: "folders", words: [] }],
  ["kind", toSuggestions(["run", "search", "files"])],
  ["level", toSuggestions(["silent", "error", "warn", "info", "debug"])],
]);

async function suggestFor(place: string, current: string, sources: SuggestionSources): Promise<Suggestions> {
  if (/^(?:servers?|id)$/.test(place)) return toSuggestions((await sources.project()).servers);
  if (/^(?:server\[\/tool\]|tool)$/.test(place))
    return suggestTools(await sources.project(), current, place === "tool");
  if (place === "script") return { directive: "files", words: (await sources.project()).scripts };
  if (place === "client") return toSuggestions(await sources.clients());
  if (place === "shell") return toSuggestions(sources.shells);
  return KNOWN_PLACES.get(place) ?? { directive: "words", words: [] };
}

/** First the server, then its tools: a thousand names at once are of no use to anybody. */
function suggestTools({ servers, tools }: ProjectNames, current: string, isToolNeeded: boolean): Suggestions {
  if (current.includes("/")) return { directive: "words", words: tools };
  const open = [...new Set(tools.map(({ word }) => word.slice(0, word.indexOf("/") + 1)))];
  const matching = open.filter((word) => word.startsWith(current));
  if (matching.length === 1) return { directive: "words", words: tools };
  return isToolNeeded ? { directive: "open", words: open.map((word) => ({ word })) } : toSuggestions(servers);
}

function toSuggestions(words: readonly string[]): Suggestions {
  return { directive: "words", words: words.map((word) => ({ word })) };
}

function toCommandWord({ usage, description }: CommandSpec): Suggestion {
  return { word: usage.split(" ")[0] as string, description };
}

const ALL_OF_HELP: Suggestion = { word: "--all", description: "With --help: show all of it" };

function listFlags(command: CommandSpec | undefined, { globalOptions }: SuggestionSources): Suggestion[] {
  const options = [...(command?.options ?? []), ...globalOptions];
  const own = options.flatMap((option) => flagsOf(option).map((word) => ({ word, description: option.description })));
  const help = { word: "--help", description: "Show the options" };
  if (command === undefined) return [...own, help, ALL_OF_HELP, { word: "--version", description: "Show the version" }];
  // The help of a command without groups shows all of its options anyway.
  return [...own, help, ...(command.options.some(({ group }) => group !== undefined) ? [ALL_OF_HELP] : [])];
}

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
