import { resolve } from "node:path";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import { formatPinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { openBatchEngine, pinScript } from "./open-batch-engine.ts";
import { readBatchOptions, openSource, readEffort, refuseKey } from "./read-batch-options.ts";
import type { Command, Invocation } from "../../cli/command.ts";
import { openProject } from "../../cli/open-project.ts";
import { isDatabase } from "./claims/open-database.ts";
import { makeNoJournal, openJournal } from "./journal.ts";
import { readInputs, surveyInputs } from "./read-inputs.ts";
import { type BatchSummary, runBatch as runAll, workClaims } from "./run-batch.ts";
import { readLimits } from "../../cli/read-run-options.ts";
import { openSharedJournal, type SharedJournal } from "./claims/shared-journal.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { OnProgress } from "../../schemas/progress.ts";

/** `codemode run SCRIPT --inputs FILE`: one run for each line of the file, one line of JSON on stdout for each, in their order. */
export const runBatch: Command = async (invocation) => {
  const { options, context } = invocation;
  if (isDatabase(options.text("journal"))) return runClaims(invocation);
  const { output, signal } = context;
  const { source, isFile, journal: journalFile, ...effort } = readBatchOptions(invocation, process.env);
  const limits = readLimits(options);
  const total = isFile ? (await surveyInputs(source)).total : undefined;
  const project = await openProject(context);
  const pinned = await pinScript(invocation, project);
  if (pinned === undefined) return 1;

  const key = integrityOf([formatPinnedBundle(pinned), { ...project.limits, ...limits }]);
  const onForeign = (): void => output.note(`The journal ${journalFile} belongs to another script, so all inputs run.`);
  const journal =
    journalFile === undefined
      ? makeNoJournal()
      : await openJournal(resolve(context.cwd, journalFile), { key, project: project.folder, onForeign });
  const progress = context.showProgress("Running");
  try {
    const engine = await openBatchEngine({ invocation, project, pinned, progress, ...effort });
    const summary = await runAll({
      ...{ inputs: readInputs(source), total, concurrency: effort.concurrency, journal, signal, run: engine.run },
      onResult: (result) => output.result(JSON.stringify(result)),
      onProgress: progress.isShown ? progress.update : makeBatchProgress(output.note),
    }).finally(engine.close);
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
    return summary.failed === 0 ? 0 : 1;
  } finally {
    progress.end();
    await journal.close();
  }
};

function summarize({ done, failed, firstFailed }: BatchSummary, journalFile: string | undefined): string {
  if (failed === 0) return `All ${done} inputs are done.`;
  const listed = firstFailed.join(", ");
  const more = failed > firstFailed.length ? ` and ${failed - firstFailed.length} more` : "";
  const lines = failed === 1 ? "line" : "lines";
  const howOn =
    journalFile === undefined
      ? ""
      : ` Run the same command again to retry only these: ${journalFile} lists the others as finished.`;
  return `${failed} of ${done} inputs failed: ${lines} ${listed}${more}.${howOn}`;
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

  const journal = await openSharedJournal({
    url: options.text("journal") ?? "",
    name: options.text("batch") ?? "default",
    key: integrityOf([formatPinnedBundle(pinned), { ...project.limits, ...readLimits(options) }]),
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
    await workClaims({
      ...{ journal, concurrency: effort.concurrency, run: engine.run, signal: context.signal },
      onProgress: progress.isShown ? progress.update : makeBatchProgress(output.note),
    }).finally(engine.close);
    progress.end();
    if (!context.signal.aborted) return await summarizeClaims(journal, output.note);
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
  if (options.has("shard")) throw optionInvalid("--shard", "processes claim the inputs of a journal in PostgreSQL");
  if (options.has("results") && options.has("inputs")) {
    throw optionInvalid("--results", "it cannot be combined with --inputs: it runs nothing");
  }
  if (options.text("inputs") === "-" && args[0] === "-") {
    throw optionInvalid("--inputs", "standard input is the script already");
  }
}

/** Prints how far the batch is; gives the exit code, which is 0 where all inputs succeeded. */
async function summarizeClaims(journal: SharedJournal, note: (line: string) => void): Promise<number> {
  const { total, done, failed } = await journal.state();
  const isComplete = done === total;
  const failures = failed === 0 ? "" : ` ${failed} of them failed: --results lists them, and --inputs runs them again.`;
  note(
    isComplete && failed === 0
      ? `All ${done} inputs are done.`
      : `${done} of ${total ?? "so far unknown"} inputs are done.${failures}`,
  );
  return isComplete && failed === 0 ? 0 : 1;
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
