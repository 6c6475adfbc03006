import type { CommandSpec, OptionSpec } from "../../cli/command.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../../cli/commands.ts";
import { SHELLS } from "./command.ts";
import { readTextSync } from "../../engine/files.ts";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { findConfiguration } from "@codemode/runtime/find-configuration";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import { assignServerIds } from "../../schemas/lock/server-ids.ts";

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
  if (option !== undefined) return suggestFor(/<([^<>]*)>/.exec(option.flag)?.[1] ?? "", current, sources);
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

/** What is being typed, and what stands in front of it. */
interface TypedWords {
  /** The word that is to be completed, as far as it is there. */
  current: string;
  /** Undefined as long as the command itself is typed. */
  command: CommandSpec | undefined;
  /** Positional words after the command, before the current one. */
  args: readonly string[];
  /** The values of options so far, by their flag. */
  values: ReadonlyMap<string, string>;
  /** The option whose value is typed. */
  option: OptionSpec | undefined;
  /** Behind `--`, words are another program's. */
  isForeign: boolean;
}

/** Reads the words behind `codemode`, the last of which is being typed. */
export function parseWords(
  words: readonly string[],
  { commands, globalOptions }: { commands: readonly CommandSpec[]; globalOptions: readonly OptionSpec[] },
): TypedWords {
  const typed = joinAssignments(words);
  const current = typed.at(-1) ?? "";
  const values = new Map<string, string>();
  const args: string[] = [];
  let command: CommandSpec | undefined;
  let option: OptionSpec | undefined;
  let flag = "";
  for (const word of typed.slice(0, -1)) {
    if (option !== undefined) {
      values.set(flag, word);
      option = undefined;
    } else if (word === "--") {
      return { current, command, args, values, option: undefined, isForeign: true };
    } else if (word.startsWith("-") && word !== "-") {
      const [name = "", ...rest] = word.split("=");
      const known = findOption([...(command?.options ?? []), ...globalOptions], name);
      if (rest.length > 0) values.set(name, rest.join("="));
      else if (known?.flag.includes("<") === true) [option, flag] = [known, name];
    } else if (command === undefined) {
      command = commands.find(({ usage }) => usage.split(" ")[0] === word);
      if (command === undefined) return { current, command, args, values, option, isForeign: true };
    } else args.push(word);
  }
  return { current, command, args, values, option, isForeign: false };
}

/** bash takes `--out=x` for three words. */
function joinAssignments(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const [index, word] of words.entries()) {
    if (word !== "=" || !words[index - 1]?.startsWith("--")) joined.push(word);
    else if (index === words.length - 1) joined.push("");
  }
  return joined;
}

function findOption(options: readonly OptionSpec[], name: string): OptionSpec | undefined {
  return options.find((option) => flagsOf(option).includes(name));
}

/** `-o` and `--out` of `-o, --out <file>`. */
function flagsOf({ flag }: OptionSpec): string[] {
  return flag.match(/(?<=^|\s)--?[\w-]+/g) ?? [];
}

/** A word that a shell may complete. */
interface Suggestion {
  word: string;
  description?: string | undefined;
}

/** The names of a project that stand on command lines. */
interface ProjectNames {
  /** Ids of servers, configured or locked. */
  servers: readonly string[];
  /** Locked tools as SERVER/TOOL. */
  tools: readonly Suggestion[];
  scripts: readonly Suggestion[];
}

/**
 * Reads names from configuration and lockfile without other checks, because the user is waiting. An unreadable file has no names.
 * @param values the values of `--cwd` and `--config` as typed
 */
function readProjectNames(values: ReadonlyMap<string, string>): ProjectNames {
  const cwd = resolve(expandHome(values.get("--cwd") ?? "."));
  const named = values.get("--config");
  const file = named === undefined ? findConfiguration(cwd).file : resolve(cwd, expandHome(named));
  const folder = file === undefined ? cwd : dirname(file).replace(/[\\/]\.(cursor|vscode)$/, "");
  const config = (file === undefined ? undefined : readJson(file)) ?? {};
  const locked = entriesOf(readJson(join(folder, "codemode.lock.json")) ?? {}, "servers");
  const configured = [...entriesOf(config, "mcpServers"), ...entriesOf(config, "servers")].map(([name]) => name);
  return {
    servers: [...new Set([...assignServerIds(configured), ...locked.map(([id]) => id)])],
    tools: locked.flatMap(([id, server]) => toolNamesOf(server).map((name) => ({ word: `${id}/${name}` }))),
    scripts: entriesOf(config, "scripts").map(([word, entry]) => ({ word, ...descriptionOf(entry) })),
  };
}

function toolNamesOf(server: JsonValue): string[] {
  const lists = isJsonObject(server) ? ["tools", "resources", "prompts"].map((list) => ownValue(server, list)) : [];
  return lists
    .filter(Array.isArray)
    .flat()
    .flatMap((tool: JsonValue) => {
      const name = isJsonObject(tool) ? ownValue(tool, "name") : undefined;
      return typeof name === "string" ? [name] : [];
    });
}

function descriptionOf(entry: JsonValue): { description?: string | undefined } {
  const description = isJsonObject(entry) ? ownValue(entry, "description") : undefined;
  return typeof description === "string" ? { description } : {};
}

function entriesOf(object: JsonObject, key: string): [string, JsonValue][] {
  const value = ownValue(object, key);
  return value !== undefined && isJsonObject(value) ? Object.entries(value) : [];
}

function readJson(file: string): JsonObject | undefined {
  try {
    const value = JSON.parse(readTextSync(file, "lock") ?? "null") as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The shell has not yet done so when it asks. */
function expandHome(path: string): string {
  return path.replace(/^~(?=$|[\\/])/, homedir());
}
