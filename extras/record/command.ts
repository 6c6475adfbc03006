import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { loadRecording, writeRecording } from "./recording-file.ts";
import { replay as replayRecording, type Replay } from "./replay-recording.ts";
import type { BundleResult, Project } from "../../library/index.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { type LogEntry, printDiagnostic } from "../../schemas/run/answer.ts";
import { describePlace } from "../../schemas/run/compare-calls.ts";
import type { Recording } from "../../schemas/run/recording.ts";
import type { Command, CommandContext } from "../../cli/command.ts";
import { openProjectHere, readWord } from "../../cli/open-project.ts";
import { type DurableExtra, loadExtra } from "../../engine/extras.ts";
import { loadConfig } from "../../engine/load-config.ts";
import { RUN_ID } from "../../engine/run-id.ts";
import { assertOutput } from "../../engine/files.ts";
import { type ReportExtra, readReportOptions } from "../../cli/report-extra.ts";
import { showAnswer, printLog } from "../../cli/print/print-answer.ts";

/**
 * `codemode replay`: runs a recording again, or another script against it. Prints what the run printed, and where it diverges. Exits
 * with 0 where all is the same, 1 where it diverges.
 */
export const replayCommand: Command = async (invocation) => {
  const { options, context } = invocation;
  const { output, signal } = context;
  const [file = "", script] = invocation.args;
  const reportFile = readReportOptions(invocation);
  if (reportFile !== undefined && script !== undefined) {
    throw optionInvalid(
      "--report",
      "it shows the recording: leave out the script, or update the recording with --update first",
    );
  }
  const path = resolve(context.cwd, file);
  const isRun = RUN_ID.test(file) && !existsSync(path);
  if (isRun && options.has("update"))
    throw optionInvalid("--update", "it changes a file: write one with `codemode runs ID --export FILE`");
  const recording = isRun ? await recordingOfRun(file, context) : await loadRecording(path);
  if (reportFile !== undefined) await assertOutput(reportFile.path, "report", context.cwd);
  const project = script === undefined ? undefined : await openProjectHere(context);
  const changed = script === undefined ? undefined : await bundleChanged(script, project as Project, context);
  if (changed?.ok === false) {
    for (const line of changed.diagnostics.flatMap(printDiagnostic)) output.note(line);
    return 1;
  }
  const asJson = options.has("json");
  const onLog = asJson ? undefined : (entry: LogEntry) => output.note(printLog(entry));
  const another = changed && { pinned: changed.pinned, lockfile: project?.lockfile };
  const replayed = await replayRecording(recording, { signal, update: options.has("update"), onLog }, another);
  showAnswer(replayed.answer, asJson, output);
  printVersions(recording, replayed, context);
  if (replayed.updated !== undefined) await update(path, replayed.updated, replayed, context);
  if (reportFile !== undefined && !signal.aborted) {
    await (await loadExtra<ReportExtra>("ui")).writeReplayReport(reportFile, recording, replayed, context.cwd);
  }
  return replayed.divergence !== undefined || signal.aborted ? 1 : 0;
};

/** A durable run of the project. */
async function recordingOfRun(id: string, { cwd, isTrusted, configFile }: CommandContext): Promise<Recording> {
  const { openDurableRuns } = await loadExtra<DurableExtra>("durable");
  const runs = await openDurableRuns(await loadConfig({ cwd, isTrusted, configFile }), {});
  try {
    return await runs.recording(id);
  } finally {
    await runs.close();
  }
}

/** Bundles a script against what is generated already: a replay starts no server and writes nothing but the recording. */
async function bundleChanged(word: string, project: Project, { output }: CommandContext): Promise<BundleResult> {
  const script = await project.read(await readWord(word));
  if ("bundle" in script) return { ok: true, pinned: script.bundle, warnings: [] };
  return project.bundle(script, { frozen: true, onNote: output.note });
}

async function update(
  path: string,
  recording: Recording,
  { changes }: Replay,
  { output, cwd }: CommandContext,
): Promise<void> {
  for (const change of changes)
    output.note(oneLine(`Updated ${describePlace(change)}: ${change.expected} is now ${change.received}`));
  await writeRecording(path, recording, cwd);
}

/** What another version of Node words differently looks like a change of the script. */
function printVersions({ madeBy }: Recording, { divergence }: Replay, { output }: CommandContext): void {
  if (divergence === undefined || madeBy.node === process.version) return;
  output.note(oneLine(`note: It was recorded with Node ${madeBy.node}; this is ${process.version}.`));
}
