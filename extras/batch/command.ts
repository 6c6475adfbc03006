import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import { formatPinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { programOf } from "../../engine/run/program-of.ts";
import { openBatchEngine, pinScript } from "./open-batch-engine.ts";
import type { Command, Invocation, CommandContext, OptionValues } from "../../cli/command.ts";
import { openProject, readScriptArgument } from "../../cli/open-project.ts";
import { isDatabase } from "./claims/open-database.ts";
import type { BatchResult } from "./batch-result.ts";
import { type FoundJournal, makeNoJournal, openJournal, readResults } from "./journal.ts";
import {
  readInputs,
  surveyInputs,
  fileOfInputs,
  type InputSource,
  findShard,
  parseShard,
  type Shard,
} from "./read-inputs.ts";
import { type BatchSummary, runBatch as runAll, workClaims } from "./run-batch.ts";
import { askYesOrNo, terminalOf } from "../../cli/print/ask-on-terminal.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { readLimits, readWholeNumber } from "../../cli/read-run-options.ts";
import { openSharedJournal, type SharedJournal } from "./claims/shared-journal.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { planSealer, projectOf } from "../../engine/store-plan.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { OnProgress } from "../../schemas/progress.ts";

/** `codemode run SCRIPT --inputs FILE`: one run for each line of the file, one line of JSON on stdout for each, in their order. */
export const runBatch: Command = async (invocation) => {
  const { options, context } = invocation;
  if (isDatabase(options.text("journal"))) return runClaims(invocation);
  if (options.has("results")) return printResults(invocation);
  const { output, signal } = context;
  const { source, isFile, shard, isDryRun, ...effort } = readBatchOptions(invocation, process.env);
  const limits = readLimits(options);
  const total = isFile ? (await surveyInputs(source)).total : undefined;
  const project = await openProject(context);
  const pinned = await pinScript(invocation, project);
  if (pinned === undefined) return 1;

  const text = formatPinnedBundle(pinned);
  const former = { 2: integrityOf([text, { ...project.limits, ...limits }]), 3: integrityOf(text) };
  const journalFile = isDryRun ? undefined : chooseJournal(invocation, pinned.name, shard);
  const journal =
    journalFile === undefined
      ? makeNoJournal()
      : await openJournal(resolve(context.cwd, journalFile), {
          ...{ program: programOf(pinned.bundle), former, project: project.folder, script: pinned.name },
          inputs: isFile ? basename(source.shown) : "-",
          mayContinue: (found) => mayContinue(found, invocation),
        });
  const progress = context.showProgress("Running");
  try {
    const engine = await openBatchEngine({ invocation, project, pinned, progress, isDryRun, ...effort });
    const { run, forget } = engine;
    const work = {
      ...{ inputs: readInputs(source), total, concurrency: effort.concurrency, journal, signal, run, forget },
      onResult: (result: BatchResult) => output.result(JSON.stringify(result)),
      onProgress: progress.isShown ? progress.update : makeBatchProgress(output.note),
    };
    const summary = await engine
      .forgetFinished(journal)
      .then(() => runAll(work))
      .finally(engine.close);
    progress.end();
    if (signal.aborted) {
      const howOn =
        journalFile === undefined
          ? ""
          : ` Run the same command again to continue: ${journalFile} lists the finished inputs.`;
      output.note(`Stopped.${howOn}`);
      return 1;
    }
    if (summary.failed === 0) await journal.remove();
    output.note(summarize(summary, journalFile));
    return exitCodeOf(summary.failed, summary.waiting);
  } finally {
    progress.end();
    await journal.close();
  }
};

/** 4 where what is left waits for a person, and nothing else. */
function exitCodeOf(failed: number, waiting: number): 0 | 1 | 4 {
  return failed === 0 ? 0 : failed === waiting ? 4 : 1;
}

const describeWaiting = (count: number): string =>
  `${countOf(count, "run")} ${count === 1 ? "waits" : "wait"} for a person: codemode approvals lists what is asked.`;

/** `--results` of a journal in a file: prints what it has, also while another process works with it, and runs nothing. */
async function printResults(invocation: Invocation): Promise<number> {
  const { options, context } = invocation;
  const { output } = context;
  const project = await openProject(context);
  const script = await project.read(await readScriptArgument(invocation, "run"));
  const name = "bundle" in script ? script.bundle.name : script.name;
  const file = chooseJournal(invocation, name, readShard(options, context, process.env));
  if (file === undefined)
    throw optionInvalid("--results", "name the journal with --journal, or its inputs with --inputs");
  const print = (result: BatchResult): void => output.result(JSON.stringify(result));
  const found = await readResults(resolve(context.cwd, file), project.folder, print);
  if (found === undefined)
    throw optionInvalid("--results", `there is no journal ${file}: the batch was not begun, or is complete`);
  const { done, failed } = found;
  output.note(
    `${countOf(done, "input")} ${done === 1 ? "is" : "are"} done.${failed === 0 ? "" : ` ${failed} of them failed.`}`,
  );
  return failed === 0 ? 0 : 1;
}

function summarize({ done, failed, waiting, firstFailed }: BatchSummary, journalFile: string | undefined): string {
  if (failed === 0) return `All ${done} inputs are done.`;
  const listed = firstFailed.join(", ");
  const more = failed > firstFailed.length ? ` and ${failed - firstFailed.length} more` : "";
  const lines = failed === 1 ? "line" : "lines";
  const howOn =
    journalFile === undefined
      ? ""
      : ` Run the same command again to retry only these: ${journalFile} lists the others as finished.`;
  const asked = waiting === 0 ? "" : ` ${describeWaiting(waiting)}`;
  return `${failed} of ${done} inputs failed: ${lines} ${listed}${more}.${asked}${howOn}`;
}

/**
 * `codemode run SCRIPT --journal postgres://…`: enters the inputs that `--inputs` names, and claims inputs until the batch is finished, as any number of
 * such processes do. `--results` prints what there is.
 */
const runClaims: Command = async (invocation) => {
  const { options, context } = invocation;
  const { output } = context;
  refuseOptions(invocation);
  const shown = options.text("inputs");
  const source = shown === undefined ? undefined : openSource(shown, context);
  // What is entered must be whole: a broken line is an error before.
  const digest = source === undefined || shown === "-" ? undefined : (await surveyInputs(source)).digest;
  const project = await openProject(context);
  const pinned = await pinScript(invocation, project);
  if (pinned === undefined) return 1;

  const config = await loadConfig(context);
  const limits = { ...project.limits, ...readLimits(options) };
  const journal = await openSharedJournal({
    url: options.text("journal") ?? "",
    ...{ project: projectOf(config), sealer: planSealer(config) },
    name: options.text("batch") ?? "default",
    key: integrityOf([programOf(pinned.bundle), limits]),
    former: integrityOf([formatPinnedBundle(pinned), limits]),
    isEntering: source !== undefined,
  });
  const progress = context.showProgress("Running");
  try {
    if (options.has("results")) {
      for await (const result of journal.results()) output.result(result);
      return await summarizeClaims(journal, output.note);
    }
    if (source !== undefined) await journal.enter(readInputs(source), digest);
    const effort = readEffort(options);
    const engine = await openBatchEngine({ invocation, project, pinned, progress, ...effort, isDryRun: false });
    const { run, forget } = engine;
    const work = {
      ...{ journal, concurrency: effort.concurrency, run, forget, signal: context.signal },
      onProgress: progress.isShown ? progress.update : makeBatchProgress(output.note),
    };
    const waiting = await engine
      .forgetFinished(journal)
      .then(() => workClaims(work))
      .finally(engine.close);
    progress.end();
    if (waiting > 0) output.note(describeWaiting(waiting));
    if (!context.signal.aborted) return await summarizeClaims(journal, output.note, waiting);
    output.note("Stopped. Other processes run the inputs that are left, or this command does when it is run again.");
    return 1;
  } finally {
    progress.end();
    await journal.close();
  }
};

function refuseOptions({ args, options }: Invocation): void {
  refuseKey(options);
  if (options.has("dryRun")) throw optionInvalid("--journal", "a dry run has no journal");
  if (options.has("continue")) throw optionInvalid("--continue", "a batch in PostgreSQL goes on by itself");
  if (options.has("shard")) throw optionInvalid("--shard", "processes claim the inputs of a journal in PostgreSQL");
  if (options.has("results") && options.has("inputs")) {
    throw optionInvalid("--results", "it cannot be combined with --inputs: it runs nothing");
  }
  if (options.text("inputs") === "-" && args[0] === "-") {
    throw optionInvalid("--inputs", "standard input is the script already");
  }
}

/** Prints how far the batch is; gives the exit code, which is 0 where all inputs succeeded. */
async function summarizeClaims(journal: SharedJournal, note: (line: string) => void, waiting = 0): Promise<number> {
  const { total, done, failed } = await journal.state();
  const isComplete = done === total;
  const failures = failed === 0 ? "" : ` ${failed} of them failed: --results lists them, and --inputs runs them again.`;
  note(
    isComplete && failed === 0
      ? `All ${done} inputs are done.`
      : `${done} of ${total ?? "so far unknown"} inputs are done.${failures}`,
  );
  return isComplete ? exitCodeOf(failed, waiting) : 1;
}

/** Ten lines for the whole batch, however long it is, for where no line can be taken back; of an unknown length, one at each doubling. */
function makeBatchProgress(note: (line: string) => void): OnProgress {
  let next = 1;
  return ({ done, total, failed = 0 }) => {
    const reached = total === 0 ? Math.log2(done / 1000) : Math.floor((10 * done) / total);
    if (reached < next || done === total) return;
    next = Math.floor(reached) + 1;
    note(`${done}${total === 0 ? "" : ` of ${total}`} done${failed === 0 ? "" : `, ${failed} failed`}`);
  };
}

const DEFAULT_CONCURRENCY = 4;
const DEFAULT_RETRIES = 3;

/** Reads the options of `run --inputs` with a journal in a file. The variables of schedulers name the shard where no option does. */
function readBatchOptions(
  { args, options, context }: Invocation,
  env: { readonly [name: string]: string | undefined },
) {
  const shown = options.text("inputs");
  if (shown === undefined) throw optionInvalid("--inputs", "name a JSON Lines file, or - for standard input");
  if (options.has("batch")) throw optionInvalid("--batch", "it needs --journal postgres://…");
  refuseKey(options);
  const isFile = shown !== "-";
  if (!isFile && args[0] === "-") throw optionInvalid("--inputs", "standard input is the script already");
  // What a dry run knows is not to be taken for what was done, nor to be lost for it.
  const isDryRun = options.has("dryRun");
  if (isDryRun && options.has("journal")) throw optionInvalid("--journal", "a dry run has no journal");
  const shard = readShard(options, context, env);
  return {
    ...{ isDryRun, ...readEffort(options) },
    /** Whether the inputs can be read twice. */
    isFile,
    shard,
    source: openSource(shown, context, shard),
  };
}

/** The file that remembers the batch; undefined where it leaves no trace. Each script has a journal of its own beside the inputs. */
function chooseJournal({ options, context }: Invocation, script: string, shard: Shard | undefined): string | undefined {
  const [named, inputs] = [options.text("journal"), options.text("inputs")];
  if (named !== undefined || inputs === undefined || inputs === "-") return named;
  const part = shard === undefined ? "" : `.${shard.index}-of-${shard.count}`;
  // Before version 3 the script was no part of the name: a batch that was begun then is ended there.
  const former = `${inputs}${part}.journal`;
  if (existsSync(resolve(context.cwd, former))) return former;
  return `${inputs}.${basename(script).replace(/[^A-Za-z0-9._-]/g, "_")}${part}.journal`;
}

/** What to do with results of another program: `--continue` keeps them, a person at a terminal is asked. */
async function mayContinue(
  { differs, file, finished }: FoundJournal,
  { options, context }: Invocation,
): Promise<boolean> {
  if (options.has("continue")) return true;
  const terminal = terminalOf(context.signal);
  if (terminal === undefined) return false;
  const question = `${oneLine(`${file} has the results of ${finished} inputs, of ${differs}.`)} Keep them, and run the other inputs? [y/N] `;
  return askYesOrNo(question, terminal);
}

/** One key for all inputs would make them one piece of work. */
function refuseKey(options: OptionValues): void {
  if (options.has("key")) throw optionInvalid("--key", "each input of a batch has a key of its own");
}

/** What `--inputs` names. */
function openSource(shown: string, { cwd, signal }: CommandContext, shard?: Shard): InputSource {
  if (shown !== "-") return fileOfInputs(resolve(cwd, shown), shown, shard);
  return { shown: "standard input", shard, open: () => openStandardInput(signal) };
}

/** How much is done at a time, and how often again. */
function readEffort(options: OptionValues): { concurrency: number; retries: number } {
  return {
    concurrency: readWholeNumber(options, "concurrency", "batchConcurrency") ?? DEFAULT_CONCURRENCY,
    retries: readWholeNumber(options, "retries", "retries") ?? DEFAULT_RETRIES,
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
