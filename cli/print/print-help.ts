import type { CommandSpec, OptionSpec } from "../command.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../commands.ts";

/** A part of the help: an optional title and the lines below it. */
export interface HelpSection {
  title?: string;
  body: string;
}

/** The widest line of a help text, in columns. */
export const HELP_WIDTH = 100;

const HELP: OptionSpec = { flag: "-h, --help", description: "Show the help" };
const VERSION: OptionSpec = { flag: "-v, --version", description: "Show the version" };

/** The help of one command, or without one the list of all commands. */
export function helpSections(command?: CommandSpec): HelpSection[] {
  return command === undefined ? programHelp() : commandHelp(command);
}

function programHelp(): HelpSection[] {
  return [
    { title: "Usage", body: "  codemode <command> [options]" },
    { title: "Commands", body: printTable(COMMANDS.map(({ usage, description }) => [usage, description])) },
    { title: "Options", body: printOptions([...GLOBAL_OPTIONS, HELP, VERSION]) },
    { body: "Run `codemode <command> --help` for the options of a command." },
  ];
}

function commandHelp({ usage, description, details, options }: CommandSpec): HelpSection[] {
  return [
    { body: wrap(`${description}.${details === undefined ? "" : ` ${details}`}`) },
    { title: "Usage", body: `  codemode ${usage} [options]` },
    ...(options.length === 0 ? [] : [{ title: "Options", body: printOptions(options) }]),
    { title: "Global options", body: printOptions([...GLOBAL_OPTIONS, HELP]) },
  ];
}

function printOptions(options: readonly OptionSpec[]): string {
  return printTable(options.map(({ flag, description }) => [flag, description]));
}

function printTable(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join("\n");
}

/** Breaks a text between words into lines of at most `HELP_WIDTH` columns. */
function wrap(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) as string;
    if (line !== "" && line.length + 1 + word.length > HELP_WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}
