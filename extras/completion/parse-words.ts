import type { CommandSpec, OptionSpec } from "../../cli/command.ts";

/** What is being typed, and what stands in front of it. */
export interface TypedWords {
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
export function flagsOf({ flag }: OptionSpec): string[] {
  return flag.match(/(?<=^|\s)--?[\w-]+/g) ?? [];
}
