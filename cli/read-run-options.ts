import { flagOf } from "./option-rules.ts";
import { describeOutOfRange, type NumberName, NUMBERS } from "../schemas/numbers.ts";
import { resolve } from "node:path";
import type { RunLimits } from "../schemas/config/config-file.ts";
import { optionInvalid } from "../schemas/errors.ts";
import type { JsonValue } from "../schemas/json/json.ts";
import type { Invocation, OptionValues } from "./command.ts";
import { readText } from "../engine/files.ts";

const LIMIT_OPTIONS = {
  timeout: "timeoutMs",
  maxMemory: "maxMemoryBytes",
  maxToolCalls: "maxToolCalls",
  maxLogBytes: "maxLogBytes",
} as const satisfies Record<string, keyof RunLimits>;

/** The limits that options of the command line set. */
export function readLimits(options: OptionValues): Partial<RunLimits> {
  const limits: Partial<RunLimits> = {};
  for (const [option, limit] of Object.entries(LIMIT_OPTIONS)) {
    const value = readWholeNumber(options, option, limit);
    if (value !== undefined) limits[limit] = value;
  }
  return limits;
}

/** A whole number within its range, or undefined where the option was not given. */
export function readWholeNumber(options: OptionValues, option: string, name: NumberName): number | undefined {
  const value = options.text(option);
  if (value === undefined) return undefined;
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (describeOutOfRange(name, number) === undefined) return number;
  const { least, most } = NUMBERS[name];
  throw optionInvalid(flagOf(option), `"${value}" is not a whole number from ${least} to ${most}`);
}

/** The input of a script: `--input JSON` or `--input-file FILE`, null without either. */
export async function readInput({ options, context }: Invocation): Promise<JsonValue> {
  const json = options.text("input");
  const file = options.text("inputFile");
  if (json !== undefined && file !== undefined) throw optionInvalid("--input-file", "give it or --input, not both");
  if (json !== undefined) return parseInput(json, "--input");
  return file === undefined ? null : parseInput(await readText(resolve(context.cwd, file), "given"), "--input-file");
}

/** Parses an input that was given with an option. */
export function parseInput(json: string, flag: string): JsonValue {
  try {
    return JSON.parse(json) as JsonValue;
  } catch (error) {
    const hint = `Write JSON in quotes for the shell, such as '{"limit": 5}'.`;
    throw optionInvalid(flag, `it is not JSON: ${(error as Error).message}`, hint);
  }
}
