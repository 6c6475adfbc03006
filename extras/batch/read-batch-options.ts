import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Invocation, CommandContext, OptionValues } from "../../cli/command.ts";
import { type InputSource, findShard, parseShard, type Shard } from "./read-inputs.ts";
import { readWholeNumber } from "../../cli/read-run-options.ts";
import { optionInvalid } from "../../schemas/errors.ts";

const URL_OF_DATABASE = /^postgres(?:ql)?:\/\//i;
const DEFAULT_CONCURRENCY = 4;
const DEFAULT_RETRIES = 3;

/** Reads the options of a batch. The variables of schedulers name the shard where no option does. */
export function readBatchOptions(
  { args, options, context }: Invocation,
  env: { readonly [name: string]: string | undefined },
) {
  const [inputs, journal] = [options.text("inputs"), options.text("journal")];
  const [isShared, isResults, isDryRun] = [options.has("batch"), options.has("results"), options.has("dryRun")];
  const rules: [isBroken: boolean, option: string, why: string][] = [
    // One key for all inputs would make them one piece of work.
    [options.has("key"), "--key", "each input of a batch has a key of its own"],
    // What a dry run knows is not to be taken for what was done, nor to be lost for it.
    [isDryRun && journal !== undefined, "--journal", "a dry run has no journal"],
    [options.text("batch") === "", "--batch", "name the batch"],
    [isDryRun && isShared, "--batch", "a dry run leaves no results"],
    [URL_OF_DATABASE.test(journal ?? ""), "--journal", 'it names a file: a batch in "serve.store" is --batch NAME'],
    [isShared && journal !== undefined, "--journal", "it cannot be combined with --batch: the store has the results"],
    [isShared && options.has("continue"), "--continue", "a batch in a store goes on by itself"],
    [isShared && options.has("shard"), "--shard", "processes claim the inputs of a batch in a store"],
    [
      isShared && isResults && inputs !== undefined,
      "--results",
      "it cannot be combined with --inputs: it runs nothing",
    ],
    [!isShared && !isResults && inputs === undefined, "--inputs", "name a JSON Lines file, or - for standard input"],
    [inputs === "-" && args[0] === "-", "--inputs", "standard input is the script already"],
  ];
  for (const [isBroken, option, why] of rules) if (isBroken) throw optionInvalid(option, why);
  const shard = isShared ? undefined : readShard(options, context, env);
  return {
    ...{ isShared, isResults, isDryRun, shard },
    source: inputs === undefined ? undefined : openSource(inputs, context, shard),
    concurrency: readWholeNumber(options, "concurrency", "batchConcurrency") ?? DEFAULT_CONCURRENCY,
    retries: readWholeNumber(options, "retries", "retries") ?? DEFAULT_RETRIES,
  };
}

/** What `--inputs` names. */
function openSource(shown: string, { cwd, signal }: CommandContext, shard: Shard | undefined): InputSource {
  const isFile = shown !== "-";
  const open = (): AsyncIterable<Buffer> =>
    isFile ? createReadStream(resolve(cwd, shown)) : openStandardInput(signal);
  return { isFile, shown: isFile ? shown : "standard input", shard, open };
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
