import { setMaxListeners } from "node:events";
import { resolve } from "node:path";
import { cac } from "cac";
import type { CommandSpec, Invocation, OptionSpec, OptionValues } from "./command.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "./commands.ts";
import { followWrapper } from "./follow-wrapper.ts";
import { guardValues, unguard } from "./guard-values.ts";
import { shareTerminal } from "./print/progress-line.ts";
import { type Output, processOutput, reportError } from "./print/report.ts";
import { keepStandardOutput } from "../engine/process/standard-output.ts";
import { CodemodeError } from "../schemas/codemode-error.ts";
import { VERSION } from "../schemas/version.ts";

/** Parses the arguments, runs one command and returns the exit code. */
export async function runCli(argv: readonly string[], output: Output = processOutput): Promise<number> {
  const interruption = new AbortController();
  setMaxListeners(0, interruption.signal); // every run of a batch listens
  const interrupt = (): void => interruption.abort();
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  const stopFollowing = followWrapper(interrupt);
  try {
    // Not for people, and not in the help: what completion scripts of shells ask.
    if (argv[0] === "complete") {
      output.result(await (await import("./completion/complete.ts")).complete(argv.slice(1)));
      return 0;
    }
    return await runCommand(argv, output, interruption.signal);
  } catch (error) {
    if (error instanceof Error && error.name === "CACError") return reportUsage(error.message, output);
    return reportError(error, output, argv.includes("--verbose"));
  } finally {
    stopFollowing();
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

/** The command that the words name, and what they give it. */
type Chosen = Omit<Invocation, "context"> & { spec: CommandSpec };

async function runCommand(argv: readonly string[], output: Output, signal: AbortSignal): Promise<number> {
  const cli = cac("codemode").version(VERSION).help();
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
  if (cli.matchedCommand === undefined) {
    const word = argv.find((argument) => !argument.startsWith("-"));
    return reportUsage(word === undefined ? "No command given" : `Unknown command \`${word}\``, output);
  }
  await cli.runMatchedCommand();
  if (chosen === undefined) return reportUsage("No command given", output);
  // The parser itself has printed help by now.
  if (output === processOutput) keepProcessOurs();
  const { spec, ...invocation } = chosen;
  const { options } = invocation;
  const configFile = options.text("config");
  const context = {
    cwd: resolve(options.text("cwd") ?? "."),
    verbose: options.has("verbose"),
    isTrusted: options.has("trust"),
    ...shareTerminal(output, { stream: process.stderr, env: process.env, signal }),
    signal,
    ...(configFile === undefined ? {} : { configFile }),
  };
  const command = await spec.load();
  try {
    return await command({ ...invocation, context });
  } catch (error) {
    if (!(await isTrustedNow(error, signal))) throw error;
    // Nothing of it has started: the command begins again.
    return command({ ...invocation, context });
  }
}

/** Where a command ended at the question whether the project is trusted, and a terminal can put it: the answer, recorded. */
async function isTrustedNow(error: unknown, signal: AbortSignal): Promise<boolean> {
  const { stdin, stderr } = process;
  if (!(error instanceof CodemodeError) || error.code !== "PROJECT_UNTRUSTED" || !stdin.isTTY || !stderr.isTTY)
    return false;
  const { trustOnTerminal } = await import("./print/ask-trust.ts");
  return trustOnTerminal(error, { input: stdin, output: stderr, signal });
}

/** Of the variables that libraries look at, one would have them load foreign native code into this process, which holds credentials. */
function keepProcessOurs(): void {
  keepStandardOutput();
  delete process.env["NAPI_RS_NATIVE_LIBRARY_PATH"];
}

function reportUsage(message: string, output: Output): number {
  output.note(`error: ${message}`);
  output.note("hint: `codemode --help` lists the commands and `codemode COMMAND --help` their options.");
  return 2;
}

/** A list type makes the parser hand over values instead of guessing that a flag is a switch. */
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
