import { nearestName } from "@codemode/runtime/nearest-name";
import { commandUnknown, optionUnknown } from "../schemas/command-line-errors.ts";
import { optionInvalid } from "../schemas/errors.ts";
import type { CodemodeError } from "../schemas/codemode-error.ts";
import type { CommandSpec } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { GLOBAL_OPTIONS } from "./global-options.ts";

/** The error for a word that is not a command, with the command of the nearest name. */
export function unknownCommand(word: string): CodemodeError {
  return commandUnknown(word, nearestName(word, COMMANDS.map(nameOf)));
}

/**
 * Replaces an error of the argument parser by one of ours; returns any other error as it is.
 * `words` is the command line, `command` the command that it names.
 */
export function explainUsageError(error: unknown, words: readonly string[], command: CommandSpec | undefined): unknown {
  if (!(error instanceof Error) || error.name !== "CACError") return error;
  const option = /^Unknown option `-+([^`]*)`$/.exec(error.message)?.[1];
  if (option !== undefined) return unknownOption(option, words, command);
  const usage = `codemode ${command?.usage ?? "<command>"}`;
  if (error.message.startsWith("missing required args")) return optionInvalid(usage, "an argument is missing");
  if (error.message.startsWith("Unused args")) return optionInvalid(usage, "there are too many arguments");
  return optionInvalid(usage, error.message);
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
