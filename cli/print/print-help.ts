import type { CommandSpec, OptionSpec } from "../command.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "../commands.ts";

/** A part of the help: an optional title and the lines below it. */
export interface HelpSection {
  title?: string;
  body: string;
}

/** The widest line of a help text, in columns. */
export const HELP_WIDTH = 100;

const HELP: OptionSpec = { flag: "-h, --help", description: "Show the help; with --all all of it" };
const VERSION: OptionSpec = { flag: "-v, --version", description: "Show the version" };

/**
 * The help of one command, or without one of the program.
 * @param isAll also what few need: each command with its description, and the groups of options
 */
export function helpSections(command?: CommandSpec, isAll = false): HelpSection[] {
  return command === undefined ? programHelp(isAll) : commandHelp(command, isAll);
}

function programHelp(isAll: boolean): HelpSection[] {
  const shown = COMMANDS.filter(({ isDaily }) => isAll || isDaily === true);
  const others = COMMANDS.filter((command) => !shown.includes(command)).map(({ usage }) => usage.split(" ", 1)[0]);
  return [
    { title: "Usage", body: "  codemode <command> [options]" },
    { title: "Commands", body: printTable(shown.map(({ usage, description }) => [usage, description])) },
    ...(others.length === 0 ? [] : [{ title: "Others", body: indent(wrap(others.join(", "), HELP_WIDTH - 2)) }]),
    { title: "Options", body: printOptions([...GLOBAL_OPTIONS, HELP, VERSION]) },
    { body: "`codemode try` shows what it does, `codemode <command> --help` the options of a command." },
  ];
}

function commandHelp({ usage, description, details, options }: CommandSpec, isAll: boolean): HelpSection[] {
  const daily = options.filter(({ group }) => group === undefined);
  const titles = [...new Set(options.flatMap(({ group }) => group ?? []))];
  const groups = titles.map((title) => ({ title, body: printOptions(options.filter(({ group }) => group === title)) }));
  const [name = ""] = usage.split(" ", 1);
  const more = `More, with \`codemode ${name} --help --all\`: ${titles.map((title) => title.toLowerCase()).join(", ")}.`;
  return [
    { body: wrap(`${description}.${details === undefined ? "" : ` ${details}`}`) },
    { title: "Usage", body: `  codemode ${usage} [options]` },
    ...(daily.length === 0 ? [] : [{ title: "Options", body: printOptions(daily) }]),
    ...(isAll ? groups : []),
    ...(isAll || titles.length === 0 ? [] : [{ body: wrap(more) }]),
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

function indent(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}

/** Breaks a text between words into lines of so many columns. */
function wrap(text: string, width = HELP_WIDTH): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) as string;
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}
