import { type ExtraName, loadExtra } from "../engine/extras.ts";
import type { ShowProgress } from "./print/progress-line.ts";
import type { Output } from "./print/report.ts";

/** A command as help shows it; its code is loaded when it runs. */
export interface CommandSpec {
  /** The name, then its arguments: `lock [...servers]`. */
  usage: string;
  /** Imperative, one line of the help. */
  description: string;
  /** Sentences for the command's own help. */
  details?: string | undefined;
  /** The help shows its description, also without `--all`. */
  isDaily?: true | undefined;
  options: readonly OptionSpec[];
  load: () => Promise<Command>;
}

/** An option: `--json`, or `--out <dir>` where it takes a value. */
export interface OptionSpec {
  flag: string;
  /** The title of the options that it belongs to, which the help shows with `--all` only. */
  group?: string | undefined;
  /** Imperative, one line of the help. */
  description: string;
}

/** Does the work of a command and returns its exit code. */
export type Command = (invocation: Invocation) => Promise<number>;

/** What an extra with commands exports; each is loaded when it runs. */
export interface CommandsExtra {
  commands: { readonly [name: string]: () => Promise<Command> };
}

/** Loads a command of an extra. Throws a `CodemodeError` where this build does not have it. */
export async function loadExtraCommand(extra: ExtraName, name: string): Promise<Command> {
  const load = (await loadExtra<CommandsExtra>(extra)).commands[name];
  if (load === undefined) throw new Error(`The extra ${extra} has no command ${name}.`);
  return load();
}

/** One call of a command. */
export interface Invocation {
  args: readonly string[];
  /** The words after `--`. */
  rest: readonly string[];
  options: OptionValues;
  context: CommandContext;
}

/** What every command can rely on. */
export interface CommandContext {
  cwd: string;
  configFile?: string | undefined;
  /** The user vouches for what the configuration starts (`--trust`). */
  isTrusted: boolean;
  verbose: boolean;
  output: Output;
  /** Shows the progress of long work, on a terminal or in a log. */
  showProgress: ShowProgress;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
  /** The command may take so long to end after a signal, in milliseconds; otherwise its process is ended after 5 s. */
  allowToEnd(ms: number): void;
}

/** The options of a call, by their name without dashes (`maxMemory` for `--max-memory`). */
export interface OptionValues {
  has(name: string): boolean;
  /** The value of an option that takes one; the last where it was repeated. */
  text(name: string): string | undefined;
  /** All values of an option that may be repeated. */
  texts(name: string): string[];
}
