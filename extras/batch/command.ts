import { resolve } from "node:path";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import { formatPinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { type BatchEngine, openBatchEngine, pinScript } from "./open-batch-engine.ts";
import { makeBatchProgress } from "./batch-progress.ts";
import { readBatchOptions } from "./read-batch-options.ts";
import type { Command } from "../../cli/command.ts";
import { openProject } from "../../cli/open-project.ts";
import {
  type BatchSummary,
  isDatabase,
  makeNoJournal,
  openJournal,
  readInputs,
  runBatch as runAll,
  surveyInputs,
} from "./run-batch.ts";
import { readLimits } from "../../cli/read-run-options.ts";

/** `codemode run SCRIPT --inputs FILE`: one run for each line of the file, one line of JSON on stdout for each, in their order. */
export const runBatch: Command = async (invocation) => {
  const { options, context } = invocation;
  if (isDatabase(options.text("journal"))) return (await import("./run-claims.ts")).runClaims(invocation);
  const { output, signal } = context;
  const {
    source,
    isFile,
    journal: journalFile,
    concurrency,
    retries,
    isDryRun,
  } = readBatchOptions(invocation, process.env);
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
  let engine: BatchEngine | undefined;
  try {
    engine = await openBatchEngine({ invocation, project, pinned, progress, concurrency, retries, isDryRun });
    const summary = await runAll({
      ...{ inputs: readInputs(source), total, concurrency, journal, signal, run: engine.run },
      onResult: (result) => output.result(JSON.stringify(result)),
      onProgress: progress.isShown ? progress.update : makeBatchProgress(output.note),
    });
    await engine.close();
    engine = undefined;
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
    await engine?.close();
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
