import { readBatchOptions } from "./read-batch-options.ts";
import { openInFile, printResults } from "./batch-in-file.ts";
import { openInStore } from "./batch-in-store.ts";
import { openBatchEngine, pinBatchScript } from "./open-batch-engine.ts";
import type { Command } from "../../cli/command.ts";
import { openProjectHere } from "../../cli/open-project.ts";
import { surveyInputs } from "./read-inputs.ts";
import { runBatch as runAll } from "./run-batch.ts";
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
