import { setMaxListeners } from "node:events";
import { resolve } from "node:path";
import { cac } from "cac";
import { loadExtra } from "../engine/extras.ts";
import type { CommandsExtra, CommandSpec, Invocation, OptionSpec, OptionValues } from "./command.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "./commands.ts";
import { type Interruption, makeInterruption, followWrapper } from "./interruption.ts";
import { helpSections } from "./print/print-help.ts";
import { assertRules } from "./option-rules.ts";
import { shareTerminal } from "./print/progress-line.ts";
import { type Output, processOutput, reportError } from "./print/report.ts";
import { keepStandardOutput } from "../serve/standard-output.ts";
import { CodemodeError } from "../schemas/codemode-error.ts";
import { VERSION } from "../schemas/version.ts";
import { optionInvalid } from "../schemas/errors.ts";
import { commandUnknown, optionUnknown, serverCommandBare } from "../schemas/command-line-errors.ts";
import { nearestName } from "@codemode/runtime/nearest-name";

/** Parses the arguments, runs one command and returns the exit code. */
export async function runCli(argv: readonly string[], output: Output = processOutput): Promise<number> {
  const interruption = makeInterruption();
  const { signal } = interruption;
  setMaxListeners(0, signal); // every run of a batch listens
  const stopFollowing = followWrapper(interruption.interrupt);
  try {
    // Internal, so absent from the help: completion scripts of shells run it.
    if (argv[0] === "complete") {
      output.result(await (await loadExtra<CompletionExtra>("completion")).complete(argv.slice(1)));
      return 0;
    }
    // As programs with commands have it: `codemode help run` is `codemode run --help`.
    const words = argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;
    return await runCommand(words, output, interruption);
  } catch (error) {
    return reportError(withCommandName(error, argv), output, argv.includes("--verbose"));
  } finally {
    stopFollowing();
    interruption.stopListening();
  }
}

/** The hint to read the help names the command that was typed. */
function withCommandName(error: unknown, argv: readonly string[]): unknown {
  if (!(error instanceof CodemodeError) || error.code !== "INVALID_OPTION") return error;
  const name = argv.find((word) => COMMANDS.some((command) => nameOf(command) === word));
  const hint = name === undefined ? error.hint : error.hint.replace("COMMAND --help", `${name} --help`);
  const named = new CodemodeError(error.code, error.exitCode, error.message, hint);
  return Object.assign(named, { stack: error.stack });
}

/** What completes words. */
export interface CompletionExtra extends CommandsExtra {
  /** Prints what may follow the words of a command line. */
  complete(argv: readonly string[]): Promise<string>;
}

/** The command on the command line, with its arguments and options. */
type Chosen = Omit<Invocation, "context"> & { spec: CommandSpec };

async function runCommand(
  argv: readonly string[],
  output: Output,
  { signal, allowToEnd }: Pick<Interruption, "signal" | "allowToEnd">,
): Promise<number> {
  const cli = cac("codemode").version(VERSION);
  const matched = (): CommandSpec | undefined => COMMANDS.find(({ usage }) => usage === cli.matchedCommand?.rawName);
  cli.help(() => helpSections(matched(), argv.includes("--all")));
  for (const option of GLOBAL_OPTIONS) cli.option(option.flag, option.description, typeOf(option));
  let chosen: Chosen | undefined;
  for (const spec of COMMANDS) {
    const command = cli.command(spec.usage, spec.description);
    for (const option of spec.options) command.option(option.flag, option.description, typeOf(option));
    command.action((...values: unknown[]) => {
      const raw = values.at(-1) as { [name: string]: unknown };
      const args = values.slice(0, -1).flat();
      chosen = {
        spec,
        args: args.filter((value) => value !== undefined && value !== null).map(unguard),
        rest: [raw["--"] ?? []].flat().map(String),
        options: toOptionValues(raw),
      };
    });
  }
  cli.parse(["node", "codemode", ...guardValues(argv, valuedFlags())], { run: false });
  if (cli.options["help"] === true || cli.options["version"] === true) return 0;
  try {
    if (cli.matchedCommand === undefined) {
      const word = cli.args[0];
      if (word !== undefined) throw unknownCommand(word);
      cli.globalCommand.checkUnknownOptions();
      cli.outputHelp();
      return 0;
    }
    await cli.runMatchedCommand();
  } catch (error) {
    throw explainUsageError(error, argv, matched());
  }
  // Help goes to the process's own stdout, so this comes after it.
  if (output === processOutput) keepProcessOurs();
  if (chosen === undefined) throw new Error("The argument parser ran no command.");
  const { spec, ...invocation } = chosen;
  const { options } = invocation;
  assertRules(nameOf(spec), options, invocation.args);
  const context = {
    cwd: resolve(options.text("cwd") ?? "."),
    verbose: options.has("verbose"),
    isTrusted: options.has("trust"),
    ...shareTerminal(output, { stream: process.stderr, env: process.env, signal }),
    ...{ signal, allowToEnd },
    configFile: options.text("config"),
  };
  const command = await spec.load();
  try {
    return await command({ ...invocation, context });
  } catch (error) {
    if (!(await isTrustedNow(error, signal))) throw error;
    // No server has started yet, so the command can simply run again.
    return command({ ...invocation, context });
  }
}

/** After an error for an untrusted project: asks on the terminal, if there is one, records the answer and returns it. */
async function isTrustedNow(error: unknown, signal: AbortSignal): Promise<boolean> {
  const { stdin, stderr } = process;
  if (!(error instanceof CodemodeError) || error.code !== "PROJECT_UNTRUSTED" || !stdin.isTTY || !stderr.isTTY)
    return false;
  const { trustOnTerminal } = await import("./print/ask-trust.ts");
  return trustOnTerminal(error, { input: stdin, output: stderr, signal });
}

/** Removes the variable that makes a library load foreign native code: this process holds credentials. */
function keepProcessOurs(): void {
  keepStandardOutput();
  delete process.env["NAPI_RS_NATIVE_LIBRARY_PATH"];
}

/** With a list type the parser passes values on, instead of guessing that a flag is a switch. */
function typeOf(option: OptionSpec): { type?: [StringConstructor] } {
  return takesValue(option) ? { type: [String] } : {};
}

function takesValue(option: OptionSpec): boolean {
  return option.flag.includes("<");
}

function valuedFlags(): Set<string> {
  const all = [...GLOBAL_OPTIONS, ...COMMANDS.flatMap(({ options }) => options)];
  return new Set(all.filter(takesValue).flatMap(({ flag }) => flag.match(/(?<=^|\s)--?[\w-]+/g) ?? []));
}

function toOptionValues(raw: { [name: string]: unknown }): OptionValues {
  const texts = (name: string): string[] => (raw[name] === undefined ? [] : [raw[name]].flat().map(unguard));
  return {
    has: (name) => raw[name] !== undefined && raw[name] !== false,
    text: (name) => texts(name).at(-1),
    texts,
  };
}

/**
 * The argument parser turns `08` into 8, drops a lone `-` and takes a missing value for `true`. A NUL, which no real argument
 * can hold, keeps values as they are: this puts it in front of them, `unguard` takes it away.
 */
const GUARD = "\0";

/** Guards the values of the options in `valued` (with dashes, `--out`) and all positional arguments but the command. */
function guardValues(argv: readonly string[], valued: ReadonlySet<string>): string[] {
  const guarded: string[] = [];
  let isCommandSeen = false;
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] as string;
    if (word === "--") return [...guarded, word, ...argv.slice(at + 1)];
    const [flag = word, ...rest] = word.split("=");
    if (valued.has(flag)) {
      const value = rest.length > 0 ? rest.join("=") : argv[(at += 1)];
      if (value === undefined) throw optionInvalid(flag, "it needs a value");
      guarded.push(`${flag}=${GUARD}${value}`);
    } else if (word.startsWith("-") && word !== "-") {
      guarded.push(word);
    } else {
      guarded.push(isCommandSeen ? GUARD + word : word);
      isCommandSeen = true;
    }
  }
  return guarded;
}

/** Takes the guard off a parsed value. */
function unguard(value: unknown): string {
  const text = String(value);
  return text.startsWith(GUARD) ? text.slice(GUARD.length) : text;
}

/** The error for a word that is not a command, with the command of the nearest name. */
function unknownCommand(word: string): CodemodeError {
  return commandUnknown(word, nearestName(word, COMMANDS.map(nameOf)));
}

/**
 * Replaces an error of the argument parser by one of ours; returns any other error as it is.
 * `words` is the command line, `command` the command that it names.
 */
function explainUsageError(error: unknown, words: readonly string[], command: CommandSpec | undefined): unknown {
  if (!(error instanceof Error) || error.name !== "CACError") return error;
  const option = /^Unknown option `-+((?:[^`-][^`]*)?)`$/.exec(error.message)?.[1];
  const bare =
    option !== undefined || error.message.startsWith("Unused args") ? bareCommand(words, command) : undefined;
  if (bare !== undefined) return serverCommandBare(...bare);
  if (option !== undefined) return unknownOption(option, words, command);
  const usage = `codemode ${command?.usage ?? "<command>"}`;
  if (error.message.startsWith("missing required args")) {
    const missing = /<([^<>]+)>/.exec(usage)?.[1] ?? "argument";
    return optionInvalid(usage, `the ${missing} is missing`);
  }
  const [, unused] = /^Unused args: `\0?([^`]*?)`/.exec(error.message) ?? [];
  return unused === undefined ? optionInvalid(usage, error.message) : explainUnused(unused, words, command);
}

/** An argument that no command takes, which may be meant as the value of a switch. */
function explainUnused(unused: string, words: readonly string[], command: CommandSpec | undefined): CodemodeError {
  const before = words[words.indexOf(unused) - 1] ?? "";
  const isSwitch = [...(command?.options ?? []), ...GLOBAL_OPTIONS].some(
    (option) => !takesValue(option) && option.flag.split(/[ ,]+/).includes(before),
  );
  if (isSwitch) return optionInvalid(before, `it takes no value, so "${unused}" is one argument too many`);
  return optionInvalid(`codemode ${command?.usage ?? "<command>"}`, `"${unused}" is one argument too many`);
}

/** Name and program of `codemode add NAME COMMAND` without the `--` that separates what a server gets from what codemode gets. */
function bareCommand(words: readonly string[], command: CommandSpec | undefined): [string, string] | undefined {
  const [name = "-", program = "-"] = words.slice(words.indexOf("add") + 1);
  const isBare = !words.includes("--") && !name.startsWith("-") && !program.startsWith("-");
  return command !== undefined && nameOf(command) === "add" && isBare ? [name, program] : undefined;
}

/** `name` is the option as the argument parser names it: in camel case, and without a leading `no-`. */
function unknownOption(name: string, words: readonly string[], command: CommandSpec | undefined): CodemodeError {
  const flags = words.filter((word) => word.startsWith("-")).map((word) => word.split("=")[0] as string);
  const typed = flags.find((flag) => toCamelCase(flag) === name) ?? flags.find((flag) => flag === `--no-${name}`);
  const options = [...(command?.options ?? []), ...GLOBAL_OPTIONS];
  const known = options.flatMap(({ flag }) => flag.match(/--[\w-]+/g) ?? []);
  const flag = typed ?? (name.length > 1 ? `--${name}` : `-${name}`);
  return optionUnknown(flag, nearestName(flag, [...known, "--help"]), command && nameOf(command));
}

function nameOf({ usage }: CommandSpec): string {
  return usage.split(" ")[0] as string;
}

function toCamelCase(flag: string): string {
  return flag.replace(/^-+/, "").replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
