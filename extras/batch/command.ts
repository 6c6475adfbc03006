import { createReadStream, existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import type { PinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { programOf } from "../../engine/run/program-of.ts";
import type { Project } from "../../library/index.ts";
import { batchNeedsStore } from "./batch-errors.ts";
import { type BatchEngine, openBatchEngine, pinBatchScript } from "./open-batch-engine.ts";
import type { Command, Invocation, CommandContext, OptionValues } from "../../cli/command.ts";
import { openProjectHere, readScriptArgument } from "../../cli/open-project.ts";
import type { BatchResult } from "./batch-result.ts";
import { makeNoJournal, openJournal, readResults } from "./journal.ts";
import { readInputs, surveyInputs, type InputSource, findShard, parseShard, type Shard } from "./read-inputs.ts";
import {
  type Batch,
  type BatchSummary,
  type KeepResult,
  runBatch as runAll,
  tasksOfClaims,
  tasksOfInputs,
} from "./run-batch.ts";
import { askYesOrNo, terminalOf } from "../../cli/print/ask-on-terminal.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { readLimits, readWholeNumber } from "../../cli/read-run-options.ts";
import { type DurableExtra, loadExtra } from "../../engine/extras.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { OnProgress } from "../../schemas/progress.ts";

/** `codemode run SCRIPT --inputs FILE`: one run for each line of the file. With a journal in PostgreSQL any number of processes take part. */
export const batchCommand: Command = async (invocation) => {
  const { context } = invocation;
  const { output, signal } = context;
  const given = readBatchOptions(invocation, process.env);
  const { source, isResults, isShared, isDryRun, concurrency, retries } = given;
  if (isResults && !isShared) return printResults(invocation, given);
  // What is wrong with a file is known before anything runs; standard input can be read once.
  const survey = source?.isFile === true ? await surveyInputs(source) : undefined;
  const project = await openProjectHere(context);
  const pinned = await pinBatchScript(invocation, project);
  if (pinned === undefined) return 1;

  const opening = { ...given, ...{ invocation, survey, project, pinned } };
  const batch = await (isShared || source === undefined ? openInStore(opening) : openInFile(opening, source));
  const progress = context.showProgress("Running");
  try {
    for await (const result of batch.results ?? []) output.result(result);
    if (isResults) return await batch.conclude();
    await batch.enter?.();
    const engine = await openBatchEngine({ invocation, project, pinned, progress, concurrency, retries, isDryRun });
    const { id, tasks, total, unit } = batch;
    const onProgress = progress.isShown ? progress.update : makeBatchProgress(output.note);
    const summary = await batch
      .keepFor(engine)
      .then((keep) => runAll({ id, tasks, total, unit, concurrency, signal, keep, run: engine.run, onProgress }))
      .finally(engine.close);
    progress.end();
    if (!signal.aborted) return await batch.conclude(summary);
    output.note(`Stopped.${batch.howOn}`);
    return 1;
  } finally {
    progress.end();
    await batch.close();
  }
};

/** What a batch is opened with. */
interface BatchOpening extends ReturnType<typeof readBatchOptions> {
  invocation: Invocation;
  survey: Awaited<ReturnType<typeof surveyInputs>> | undefined;
  project: Project;
  pinned: PinnedBundle;
}

/** A batch that is open: in a file, in a store, or in memory alone. */
interface OpenBatch extends Pick<Batch, "id" | "tasks" | "total" | "unit"> {
  /** What `--results` prints. */
  results?: AsyncIterable<string> | undefined;
  enter?: (() => Promise<void>) | undefined;
  /** How the results of runs of this engine are kept. */
  keepFor(engine: BatchEngine): Promise<KeepResult>;
  /** How to go on with it, when it is stopped. */
  howOn: string;
  /** Says what came of it; gives the exit code. */
  conclude(summary?: BatchSummary): Promise<number>;
  close(): Promise<void>;
}

/** A batch of this process, whose results are printed in the order of the inputs, and whose journal is a file or none. */
async function openInFile(opening: BatchOpening, source: InputSource): Promise<OpenBatch> {
  const { invocation, survey, project, pinned, isDryRun } = opening;
  const { context } = invocation;
  const { output } = context;
  const file = isDryRun ? undefined : chooseJournal(invocation, pinned.name, opening.shard);
  const journal =
    file === undefined
      ? makeNoJournal()
      : await openJournal(resolve(context.cwd, file), {
          ...{ program: programOf(pinned.bundle), project: project.folder, script: pinned.name },
          inputs: source.isFile ? basename(source.shown) : "-",
          mayContinue: (found) => mayContinue(found, invocation),
        });
  const print = (result: BatchResult): void => output.result(JSON.stringify(result));
  const again = (how: string): string => (file === undefined ? "" : ` Run the same command again to ${how}`);
  return {
    ...{ id: journal.batch, total: survey?.total, unit: "done", close: journal.close },
    async keepFor(engine) {
      await engine.forgetFinished(journal);
      return async (result, input, answer) => {
        await journal.add(result, input);
        await engine.forget(answer);
      };
    },
    tasks: (signal) => tasksOfInputs(readInputs(source), journal, print, signal),
    howOn: again(`continue: ${file} lists the finished inputs.`),
    async conclude(summary = NOTHING_DONE) {
      if (summary.failed === 0) await journal.remove();
      output.note(summarize(summary, again(`retry only these: ${file} lists the others as finished.`)));
      return exitCodeOf(summary.failed, summary.waiting);
    },
  };
}

/**
 * A batch of `serve.store`, which a process enters that has its inputs, and of which it claims inputs until the batch is finished, as any number of such
 * processes do.
 */
async function openInStore(opening: BatchOpening): Promise<OpenBatch> {
  const { invocation, source, survey, project, pinned, concurrency, isResults } = opening;
  const { options, context } = invocation;
  const { openBatch } = await loadExtra<DurableExtra>("durable");
  const inputs = await openBatch(await loadConfig(context), {
    name: options.text("batch") ?? "",
    program: integrityOf([programOf(pinned.bundle), { ...project.limits, ...readLimits(options) }]),
    isEntering: source !== undefined,
  });
  if (inputs === undefined) throw batchNeedsStore();
  return {
    ...{ id: inputs.batch, unit: "done by this process", close: inputs.close },
    tasks: (signal) => tasksOfClaims(inputs, concurrency, signal),
    results: isResults ? inputs.results() : undefined,
    enter: source && (() => inputs.enterInputs(readInputs(source), survey?.digest)),
    async keepFor() {
      return async (result, _, { runId }) => {
        const { line, ok } = result;
        // What another process has claimed since is its own, and so is the durable run of it.
        await inputs.finishInput({ line, hasFailed: !ok, result: JSON.stringify(result), runId });
      };
    },
    howOn: " Other processes run the inputs that are left, or this command does when it is run again.",
    async conclude({ waiting } = NOTHING_DONE) {
      if (waiting > 0) context.output.note(describeWaiting(waiting));
      const { total, done, failed } = await inputs.stateOf();
      const isComplete = done === total;
      const failures =
        failed === 0 ? "" : ` ${failed} of them failed: --results lists them, and --inputs runs them again.`;
      const isWell = isComplete && failed === 0;
      const all = `${done} of ${total ?? "so far unknown"} inputs are done.${failures}`;
      context.output.note(isWell ? `All ${done} inputs are done.` : all);
      return isComplete ? exitCodeOf(failed, waiting) : 1;
    },
  };
}

const NOTHING_DONE: BatchSummary = { done: 0, failed: 0, waiting: 0, firstFailed: [] };

/** 4 where what is left waits for a person, and nothing else. */
function exitCodeOf(failed: number, waiting: number): 0 | 1 | 4 {
  return failed === 0 ? 0 : failed === waiting ? 4 : 1;
}

const describeWaiting = (count: number): string =>
  `${countOf(count, "run")} ${count === 1 ? "waits" : "wait"} for a person: codemode approvals lists what is asked.`;

/** `--results` of a journal in a file: prints what it has, also while another process works with it, and runs nothing. */
async function printResults(invocation: Invocation, { shard }: { shard: Shard | undefined }): Promise<number> {
  const { output, cwd } = invocation.context;
  const project = await openProjectHere(invocation.context);
  const script = await project.read(await readScriptArgument(invocation, "run"));
  const file = chooseJournal(invocation, "bundle" in script ? script.bundle.name : script.name, shard);
  if (file === undefined)
    throw optionInvalid("--results", "name the journal with --journal, or its inputs with --inputs");
  if (!existsSync(resolve(cwd, file)))
    throw optionInvalid("--results", `there is no journal ${file}: the batch was not begun, or is complete`);
  let done = 0;
  let failed = 0;
  for await (const result of readResults(resolve(cwd, file), project.folder)) {
    done += 1;
    if (!result.ok) failed += 1;
    output.result(JSON.stringify(result));
  }
  const failures = failed === 0 ? "" : ` ${failed} of them failed.`;
  output.note(`${countOf(done, "input")} ${done === 1 ? "is" : "are"} done.${failures}`);
  return failed === 0 ? 0 : 1;
}

function summarize({ done, failed, waiting, firstFailed }: BatchSummary, howOn: string): string {
  if (failed === 0) return `All ${done} inputs are done.`;
  const more = failed > firstFailed.length ? ` and ${failed - firstFailed.length} more` : "";
  const asked = waiting === 0 ? "" : ` ${describeWaiting(waiting)}`;
  const lines = failed === 1 ? "line" : "lines";
  return `${failed} of ${done} inputs failed: ${lines} ${firstFailed.join(", ")}${more}.${asked}${howOn}`;
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

const URL_OF_DATABASE = /^postgres(?:ql)?:\/\//i;
const DEFAULT_CONCURRENCY = 4;
const DEFAULT_RETRIES = 3;

/** Reads the options of a batch. The variables of schedulers name the shard where no option does. */
function readBatchOptions(
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

/** The file that remembers the batch; undefined where it leaves no trace. Each script has a journal of its own beside the inputs. */
function chooseJournal({ options }: Invocation, script: string, shard: Shard | undefined): string | undefined {
  const [named, inputs] = [options.text("journal"), options.text("inputs")];
  if (named !== undefined || inputs === undefined || inputs === "-") return named;
  const part = shard === undefined ? "" : `.${shard.index}-of-${shard.count}`;
  return `${inputs}.${basename(script).replace(/[^A-Za-z0-9._-]/g, "_")}${part}.journal`;
}

/** What to do with results of another program: `--continue` keeps them, a person at a terminal is asked. */
async function mayContinue(found: string, { options, context }: Invocation): Promise<boolean> {
  if (options.has("continue")) return true;
  const terminal = terminalOf(context.signal);
  if (terminal === undefined) return false;
  return askYesOrNo(`${oneLine(found)} Keep them, and run the other inputs? [y/N] `, terminal);
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
