import type { OptionValues } from "./command.ts";
import { optionInvalid } from "../schemas/errors.ts";

/** What goes with what on the command line of a command, by the names of options (`inputFile`). */
interface OptionRules {
  /** These have no effect without one of the others. */
  needs?: { readonly [option: string]: readonly string[] };
  /** Of these one would be left out beside the other. */
  excludes?: { readonly [option: string]: readonly string[] };
  /** These take the place of the argument. */
  insteadOfArgument?: readonly string[];
}

/** Rules that a command does not check itself, with a sentence of its own. */
const RULES: { readonly [command: string]: OptionRules } = {
  init: { excludes: { noImport: ["from", "servers"] } },
  run: {
    needs: { retries: ["inputs"], concurrency: ["inputs"], wait: ["durable", "from", "undo"] },
    excludes: {
      inputs: ["input", "inputFile", "json", "from", "undo"],
      undo: ["input", "inputFile"],
    },
    insteadOfArgument: ["eval"],
  },
  check: { insteadOfArgument: ["eval"] },
  bundle: { insteadOfArgument: ["eval"] },
  generate: { excludes: { check: ["watch", "update"] } },
  learn: { needs: { input: ["call"], approve: ["call"] } },
  runs: {
    needs: { approve: ["resume", "retry"], wait: ["resume", "retry"] },
    excludes: { prune: ["json"], export: ["json"] },
  },
  install: { excludes: { skill: ["http", "tokenEnv"] } },
  add: { needs: { header: ["url", "openapi"] }, excludes: { url: ["env"] } },
};

/**
 * Refuses options that would do nothing beside the others: a user who gives one expects an effect.
 * @throws CodemodeError (`INVALID_OPTION`) with what goes together
 */
export function assertRules(command: string, options: OptionValues, args: readonly string[]): void {
  const { needs = {}, excludes = {}, insteadOfArgument = [] } = RULES[command] ?? {};
  for (const [option, others] of Object.entries(needs)) {
    if (options.has(option) && !others.some((other) => options.has(other)))
      throw optionInvalid(flagOf(option), `it has no effect without ${others.map(flagOf).join(" or ")}`);
  }
  for (const [option, others] of Object.entries(excludes)) {
    const other = isGiven(option, options) ? others.find((name) => options.has(name)) : undefined;
    if (other !== undefined) throw optionInvalid(flagOf(other), `it cannot be combined with ${flagOf(option)}`);
  }
  const instead = insteadOfArgument.find((option) => options.has(option));
  if (instead !== undefined && args[0] !== undefined)
    throw optionInvalid(flagOf(instead), `give it or the file "${args[0]}", not both`);
}

/** The parser gives `--no-import` as an `import` that is absent. */
function isGiven(option: string, options: OptionValues): boolean {
  const [, first, rest] = /^no([A-Z])(.*)$/.exec(option) ?? [];
  return first === undefined ? options.has(option) : !options.has(first.toLowerCase() + rest);
}

/** `inputFile` is `--input-file` on the command line. */
export function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
