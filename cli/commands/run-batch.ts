import { resolve } from "node:path";
import { optionInvalid } from "../../schemas/errors.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import { formatPinnedBundle, type PinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { approverOf } from "../print/ask-consent.ts";
import { askerOf } from "../print/ask-question.ts";
import type { SkippedCall } from "../../schemas/run/tool-call-event.ts";
import type { Command, Invocation } from "../command.ts";
import { openProject, readScriptArgument } from "../open-project.ts";
import { type BatchResult, NO_JOURNAL, openJournal, readInputs, runBatch as runAll } from "../../engine/run-batch.ts";
import type { OnProgress } from "../../schemas/progress.ts";
import type { Engine, Project } from "../../library/index.ts";
import { printLog } from "../print/print-answer.ts";
import { printDiagnostic } from "../../schemas/run/print-diagnostic.ts";
import { printSkippedCall } from "../../schemas/run/print-skipped-call.ts";
import { readLimits, readWholeNumber } from "../read-run-options.ts";

const DEFAULT_CONCURRENCY = 4;
const MAX_CONCURRENCY = 64;

/** `codemode run SCRIPT --inputs FILE`: one run for each line of the file, one line of JSON on stdout for each, in their order. */
export const runBatch: Command = async (invocation) => {
  const { options, context } = invocation;
  const shown = options.text("inputs") ?? "";
  const file = resolve(context.cwd, shown);
  const concurrency = readWholeNumber(options, "concurrency", 1, MAX_CONCURRENCY) ?? DEFAULT_CONCURRENCY;
  const limits = readLimits(options);
  // What a dry run knows is not to be taken for what was done, nor to be lost for it.
  const isDryRun = options.has("dryRun");
  if (isDryRun && options.has("journal")) throw optionInvalid("--journal", "a dry run has no journal");
  const inputs = await readInputs(file, shown);
  const project = await openProject(context);
  const pinned = await pin(invocation, project);
  if (pinned === undefined) return 1;

  const journalFile = options.text("journal") ?? `${shown}.journal`;
  const key = integrityOf([formatPinnedBundle(pinned), { ...project.limits, ...limits }]);
  const journal = isDryRun
    ? NO_JOURNAL
    : await openJournal(resolve(context.cwd, journalFile), {
        key,
        project: project.folder,
        onForeign: () =>
          context.output.note(`The journal ${journalFile} belongs to another script, so all inputs run.`),
      });
  const noteSkipped = (line: number) => (call: SkippedCall) =>
    context.output.note(`${line}: ${printSkippedCall(call)}`);
  const { output, signal } = context;
  const progress = context.showProgress("Running");
  const { approve, consentBy } = approverOf(options.has("approve"), context);
  const ask = askerOf(signal);
  let engine: Engine | undefined;
  try {
    const script = { bundle: pinned };
    engine = await project.openEngine({
      ...{ script, limits, concurrency, signal, onNote: output.note, frozen: options.has("frozen") },
      ...{ origin: "batch", refuseBy: "server", onUnstartable: "throw", consentBy },
      approve: (request) => progress.pause(() => approve(request)),
      ask: (question, ended) => progress.pause(() => ask(question, ended)),
    });
    const { run } = engine;
    const failed = await runAll({
      ...{ inputs, concurrency, journal, signal },
      run: (input, line) =>
        run(script, {
          ...{ input, signal, onLog: (entry) => output.note(`${line}: ${printLog(entry)}`) },
          dryRun: isDryRun ? { onSkipped: noteSkipped(line) } : undefined,
        }),
      onResult: (result) => output.result(JSON.stringify(result)),
      onProgress: progress.isShown ? progress.update : makeProgress(output.note),
    });
    await engine.close();
    engine = undefined;
    progress.end();
    if (context.signal.aborted) {
      const howOn = isDryRun
        ? ""
        : ` Run the same command again to continue: ${journalFile} lists the finished inputs.`;
      context.output.note(`Stopped.${howOn}`);
      return 1;
    }
    if (failed.length === 0) await journal.remove();
    context.output.note(summarize(inputs.length, failed, isDryRun ? undefined : journalFile));
    return failed.length === 0 ? 0 : 1;
  } finally {
    progress.end();
    await engine?.close();
    await journal.close();
  }
};

/** Bundles the script once for all inputs. Prints its problems and returns undefined if it cannot be bundled. */
async function pin(invocation: Invocation, project: Project): Promise<PinnedBundle | undefined> {
  const { options, context } = invocation;
  const { output, showProgress, signal } = context;
  const script = await project.read(await readScriptArgument(invocation, "run"));
  if ("bundle" in script) return script.bundle;
  const frozen = options.has("frozen");
  const outcome = await project.bundle(script, { frozen, signal, showProgress, onNote: output.note });
  for (const line of (outcome.ok ? outcome.warnings : outcome.diagnostics).flatMap(printDiagnostic)) output.note(line);
  return outcome.ok ? outcome.pinned : undefined;
}

/** Ten lines for the whole batch, however long it is: for where no line can be taken back. */
function makeProgress(note: (line: string) => void): OnProgress {
  let shown = 0;
  return ({ done, total, failed = 0 }) => {
    const tenths = Math.floor((10 * done) / total);
    if (tenths === shown || done === total) return;
    shown = tenths;
    note(`${done} of ${total} done${failed === 0 ? "" : `, ${failed} failed`}`);
  };
}

const MAX_LISTED = 20;

function summarize(total: number, failed: readonly BatchResult["line"][], journalFile: string | undefined): string {
  if (failed.length === 0) return `All ${total} inputs are done.`;
  const listed = failed.slice(0, MAX_LISTED).join(", ");
  const more = failed.length > MAX_LISTED ? ` and ${failed.length - MAX_LISTED} more` : "";
  const lines = failed.length === 1 ? "line" : "lines";
  const howOn =
    journalFile === undefined
      ? ""
      : ` Run the same command again to retry only these: ${journalFile} lists the others as finished.`;
  return `${failed.length} of ${total} inputs failed: ${lines} ${listed}${more}.${howOn}`;
}
