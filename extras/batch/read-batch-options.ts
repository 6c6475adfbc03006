import { resolve } from "node:path";
import { fileOfInputs, type InputSource, findShard, parseShard, type Shard } from "./read-inputs.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { CommandContext, Invocation, OptionValues } from "../../cli/command.ts";
import { readWholeNumber } from "../../cli/read-run-options.ts";

const DEFAULT_CONCURRENCY = 4;
const MAX_CONCURRENCY = 64;
const DEFAULT_RETRIES = 3;
const MAX_RETRIES = 100;

/** Reads the options of `run --inputs` with a journal in a file. The variables of schedulers name the shard where no option does. */
export function readBatchOptions(
  { args, options, context }: Invocation,
  env: { readonly [name: string]: string | undefined },
) {
  const shown = options.text("inputs");
  if (shown === undefined) throw optionInvalid("--inputs", "name a JSON Lines file, or - for standard input");
  for (const option of ["batch", "results"]) {
    if (options.has(option)) throw optionInvalid(`--${option}`, "it needs --journal postgres://…");
  }
  refuseKey(options);
  const isFile = shown !== "-";
  if (!isFile && args[0] === "-") throw optionInvalid("--inputs", "standard input is the script already");
  // What a dry run knows is not to be taken for what was done, nor to be lost for it.
  const isDryRun = options.has("dryRun");
  if (isDryRun && options.has("journal")) throw optionInvalid("--journal", "a dry run has no journal");
  const shard = readShard(options, context, env);
  const part = shard === undefined ? "" : `.${shard.index}-of-${shard.count}`;
  const usual = isFile ? `${shown}${part}.journal` : undefined;
  return {
    ...{ isDryRun, ...readEffort(options) },
    /** Whether the inputs can be read twice. */
    isFile,
    /** Absent where the batch leaves no trace. */
    journal: isDryRun ? undefined : (options.text("journal") ?? usual),
    source: openSource(shown, context, shard),
  };
}

/** One key for all inputs would make them one piece of work. */
export function refuseKey(options: OptionValues): void {
  if (options.has("key")) throw optionInvalid("--key", "each input of a batch has a key of its own");
}

/** What `--inputs` names. */
export function openSource(shown: string, { cwd, signal }: CommandContext, shard?: Shard): InputSource {
  if (shown !== "-") return fileOfInputs(resolve(cwd, shown), shown, shard);
  return { shown: "standard input", shard, open: () => openStandardInput(signal) };
}

/** How much is done at a time, and how often again. */
export function readEffort(options: OptionValues): { concurrency: number; retries: number } {
  return {
    concurrency: readWholeNumber(options, "concurrency", 1, MAX_CONCURRENCY) ?? DEFAULT_CONCURRENCY,
    retries: readWholeNumber(options, "retries", 0, MAX_RETRIES) ?? DEFAULT_RETRIES,
  };
}

function readShard(
  options: OptionValues,
  { output }: CommandContext,
  env: { readonly [name: string]: string | undefined },
): Shard | undefined {
  const text = options.text("shard");
  if (text !== undefined) {
    const shard = parseShard(text);
    if (shard === undefined) throw optionInvalid("--shard", `"${text}" is not one of so many parts, as 2/4 is`);
    return shard.count === 1 ? undefined : shard;
  }
  const found = findShard(env);
  if (found === undefined) return undefined;
  if ("problem" in found) throw optionInvalid("--shard", `${found.problem}; give it, or --shard 1/1 for all inputs`);
  const { index, count } = found.shard;
  if (count === 1) return undefined;
  output.note(`Shard ${index} of ${count}, as ${found.by} says.`);
  return found.shard;
}

/** A reader waits for it without end, so the end of the command closes it. */
function openStandardInput(signal: AbortSignal): AsyncIterable<Buffer> {
  signal.addEventListener("abort", () => process.stdin.destroy());
  return process.stdin;
}
