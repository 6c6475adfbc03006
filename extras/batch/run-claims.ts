import { loadClaims, readInputs, type SharedJournal, surveyInputs } from "./run-batch.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import { formatPinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { makeBatchProgress } from "./batch-progress.ts";
import { openBatchEngine, pinScript } from "./open-batch-engine.ts";
import { openSource, readEffort, refuseKey } from "./read-batch-options.ts";
import type { Command, Invocation } from "../../cli/command.ts";
import { openProject } from "../../cli/open-project.ts";
import { readLimits } from "../../cli/read-run-options.ts";

/**
 * `codemode run SCRIPT --journal postgres://…`: enters the inputs that `--inputs` names, and claims inputs until the batch is finished, as any number of
 * such processes do. `--results` prints what there is.
 */
export const runClaims: Command = async (invocation) => {
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

  const { openSharedJournal, workClaims } = await loadClaims();
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
      return await summarize(journal, output.note);
    }
    if (source !== undefined) await journal.enter(readInputs(source), digest);
    const effort = readEffort(options);
    const engine = await openBatchEngine({ invocation, project, pinned, progress, ...effort, isDryRun: false });
    try {
      await workClaims({
        ...{ journal, concurrency: effort.concurrency, run: engine.run, signal: context.signal },
        onProgress: progress.isShown ? progress.update : makeBatchProgress(output.note),
      });
    } finally {
      await engine.close();
      progress.end();
    }
    if (!context.signal.aborted) return await summarize(journal, output.note);
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
async function summarize(journal: SharedJournal, note: (line: string) => void): Promise<number> {
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
