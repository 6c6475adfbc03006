import { existsSync } from "node:fs";
import type { OptionSpec } from "../../cli/command.ts";
import type { CodeFacts } from "./code-facts.ts";
import type { Finding } from "./finding.ts";
import { toCommands } from "./page-steps.ts";
import type { Block, Page } from "./parse-page.ts";

/** Commands in `sh` and `console` blocks that this codemode, `package.json` or this repository does not have. */
export function checkCommands(page: Page, facts: CodeFacts): Finding[] {
  return page.blocks
    .flatMap(readCommands)
    .flatMap(({ line, command }) =>
      splitCommands(command).flatMap((words) => problemsOf(words, facts).map((problem) => ({ line, problem }))),
    );
}

function readCommands(block: Block): { line: number; command: string }[] {
  if (block.language === "console") return toCommands(block);
  if (block.language !== "sh") return [];
  const lines = block.text.replaceAll("\\\n", "  ").split("\n");
  return lines.map((command, index) => ({ line: block.line + 1 + index, command }));
}

/** The simple commands of a line as words: split at `&&`, `||`, `|`, `;` and `&`, without comments and redirections. */
export function splitCommands(line: string): string[][] {
  const tokens = line.matchAll(
    /\s+|#.*|&&|\|\||(?<!\S)\d?[<>]+(?:&\d)?|[|;&]+|((?:'[^']*'|"(?:\\.|[^"\\])*"|\\[\s\S]|[^\s'"\\|;&<>])+)/g,
  );
  const commands: string[][] = [[]];
  let isTarget = false;
  for (const [token, word] of tokens) {
    if (/^\d?[<>]/.test(token)) isTarget = !token.includes("&");
    else if (/^[|;&]/.test(token)) commands.push([]);
    else if (word !== undefined && !isTarget) commands.at(-1)?.push(unquote(word));
    else if (word !== undefined) isTarget = false;
  }
  return commands.filter((words) => words.length > 0);
}

function unquote(word: string): string {
  return word.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\([\s\S])/g, (_, single, double, escaped) => {
    return String(single ?? double ?? escaped);
  });
}

function problemsOf(words: readonly string[], facts: CodeFacts): string[] {
  const rest = words.slice(words.findIndex((word) => !/^\w+=/.test(word)));
  const [program, first = "", second = ""] = rest;
  if (program === "codemode") return codemodeProblems(rest.slice(1), facts);
  if (program === "npx" && /^codemode(@|$)/.test(rest.find((word, at) => at > 0 && word !== "-y") ?? "")) {
    return codemodeProblems(rest.slice(first === "-y" ? 3 : 2), facts);
  }
  if (program === "npm" && (first === "run" || first === "test" || first === "start")) {
    const script = first === "run" ? second : first;
    return facts.packageScripts.includes(script) ? [] : [`package.json has no script "${script}"`];
  }
  if (program === "node" && /^(bench|scripts|test|examples|dist)\//.test(first))
    return existsSync(first) ? [] : [`there is no file ${first}`];
  return [];
}

/** What is wrong with the words behind `codemode`. */
export function codemodeProblems(words: readonly string[], facts: CodeFacts): string[] {
  const given = words.slice(0, words.includes("--") ? words.indexOf("--") : undefined);
  if (["--help", "--version", "-h", "-v"].includes(given[0] ?? "")) return [];
  const { positions, flags } = sortWords(given, [
    ...facts.globalOptions,
    ...facts.commands.flatMap(({ options }) => options),
  ]);
  const [name, ...args] = positions;
  const command = facts.commands.find(({ usage }) => usage.split(" ")[0] === name);
  if (command === undefined) return [`codemode has no command "${name ?? ""}"`];
  const known = namesOf([...command.options, ...facts.globalOptions]);
  const unknown = flags.filter((flag) => !known.has(flag) && flag !== "--help");
  const [least, most] = countArguments(command.usage);
  return [
    ...unknown.map((flag) => `codemode ${name} has no option ${flag}`),
    ...(args.length < least && !flags.includes("--help") ? [`codemode ${name} needs ${least} argument(s)`] : []),
    ...(args.length > most ? [`codemode ${name} takes at most ${most} argument(s)`] : []),
  ];
}

function sortWords(words: readonly string[], options: readonly OptionSpec[]): { positions: string[]; flags: string[] } {
  const valued = namesOf(options.filter(({ flag }) => flag.includes("<")));
  const positions: string[] = [];
  const flags: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    if (!/^--?[a-zA-Z]/.test(word)) positions.push(word);
    else {
      const [flag = ""] = word.split("=");
      flags.push(flag);
      if (valued.has(flag) && !word.includes("=")) index += 1;
    }
  }
  return { positions, flags };
}

export function namesOf(options: readonly OptionSpec[]): Set<string> {
  return new Set(options.flatMap(({ flag }) => flag.match(/(?<=^|\s)--?[\w-]+/g) ?? []));
}

/** How many arguments a usage such as `call <tool> [json]` takes, at least and at most. */
function countArguments(usage: string): [least: number, most: number] {
  const args = usage.split(" ").slice(1);
  return [
    args.filter((arg) => arg.startsWith("<")).length,
    args.some((arg) => arg.includes("...")) ? Infinity : args.length,
  ];
}
