import { resolve } from "node:path";
import type { SkippedCall } from "../../runtime/host/checks/dry-run.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import { formatPinnedBundle, type PinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { approverOf } from "../print/ask-consent.ts";
import type { Command, Invocation } from "../command.ts";
import { type BatchResult, NO_JOURNAL, openJournal } from "../../engine/host/batch/journal.ts";
import { readInputs } from "../../engine/host/batch/read-inputs.ts";
import { runBatch as runAll } from "../../engine/host/batch/run-batch.ts";
import { bundlePlaces } from "../../engine/project/bundle-places.ts";
import { findScript, sourceOf } from "../../engine/project/find-script.ts";
import { loadConfig } from "../../engine/project/config/load-config.ts";
import { pinScript } from "../../engine/host/pinned/pin-script.ts";
import type { OnProgress } from "../../engine/project/progress.ts";
import { prepareForScript } from "../../engine/project/prepare-for-script.ts";
import { withHost } from "../../engine/open-host.ts";
import { printLog } from "../print/print-answer.ts";
import { printDiagnostic } from "../../schemas/run/print-diagnostic.ts";
import { printSkippedCall } from "../../engine/host/print-skipped-call.ts";
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
  const loaded = await loadConfig(context);
  const config = { ...loaded, limits: { ...loaded.limits, ...limits } };
  const pinned = await pin(invocation, config);
  if (pinned === undefined) return 1;

  const journalFile = options.text("journal") ?? `${shown}.journal`;
  const key = integrityOf([formatPinnedBundle(pinned), config.limits]);
  const journal = isDryRun
    ? NO_JOURNAL
    : await openJournal(resolve(context.cwd, journalFile), {
        key,
        project: config.folder,
        onForeign: () =>
          context.output.note(`The journal ${journalFile} belongs to another script, so all inputs run.`),
      });
  const noteSkipped = (line: number) => (call: SkippedCall) =>
    context.output.note(`${line}: ${printSkippedCall(call)}`);
  const script = { kind: "pinned", pinned } as const;
  const note = context.output.note;
  const progress = context.showProgress("Running");
  const approver = approverOf(options.has("approve"), context);
  const settings = {
    origin: "batch",
    ...{ config, concurrency, note },
    purpose: { kind: "script", script },
    isFrozen: options.has("frozen"),
    refuseBy: "server",
    onUnstartable: "throw",
  } as const;
  try {
    const failed = await withHost(settings, (host) =>
      runAll({
        inputs,
        concurrency,
        journal,
        signal: context.signal,
        run: (input, line) =>
          host.run({
            script: sourceOf(script),
            input,
            access: ownAccess(config.policy),
            ...approver,
            approve: (request) => progress.pause(() => approver.approve(request)),
            signal: context.signal,
            onLog: (entry) => context.output.note(`${line}: ${printLog(entry)}`),
            ...(isDryRun ? { dryRun: { onSkipped: noteSkipped(line) } } : {}),
          }),
        onResult: (result) => context.output.result(JSON.stringify(result)),
        onProgress: progress.isShown ? progress.update : makeProgress(context.output.note),
      }),
    );
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
    await journal.close();
  }
};

/** Bundles the script once for all inputs. Prints its problems and returns undefined if it cannot be bundled. */
async function pin(
  { args, options, context }: Invocation,
  config: Awaited<ReturnType<typeof loadConfig>>,
): Promise<PinnedBundle | undefined> {
  const found = await findScript({ file: args[0], code: options.text("eval"), cwd: context.cwd }, config);
  if (found === undefined) throw optionInvalid("run", "name a script or its file, - for standard input, or --eval");
  if (found.kind === "pinned") return found.pinned;
  const { output, showProgress, signal } = context;
  const preparing = { frozen: options.has("frozen"), note: output.note, showProgress, signal };
  const { lockfile } = await prepareForScript(config, found.source, preparing);
  const outcome = await pinScript(found.source, { ...bundlePlaces(config), lockfile });
  const diagnostics = outcome.ok ? outcome.warnings : outcome.diagnostics;
  for (const line of diagnostics.flatMap(printDiagnostic)) context.output.note(line);
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
