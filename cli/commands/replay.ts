import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { resolve } from "node:path";
import type { Diagnostic, LogEntry } from "../../schemas/run/answer.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { Recording } from "../../schemas/run/recording.ts";
import { type Replay, replayRecording, type ReplayOptions } from "../../runtime/host/recording/replay-recording.ts";
import { capLimits } from "../../runtime/host/sandbox/limits.ts";
import { makeSandboxPool } from "../../runtime/host/sandbox/pool.ts";
import type { Command, CommandContext } from "../command.ts";
import { loadRecording, writeRecording } from "../../engine/host/recording-file.ts";
import { printAnswer, printLog } from "../print/print-answer.ts";
import { printDiagnostic } from "../../schemas/run/print-diagnostic.ts";
import { readReportOptions, type ReportFile } from "../read-report-options.ts";

/**
 * `codemode replay`: runs a recording again, or another script against it. Prints what the run printed, and where it diverges. Exits
 * with 0 where all is the same, 1 where it diverges.
 */
export const replay: Command = async (invocation) => {
  const { options, context } = invocation;
  const [file, script] = invocation.args;
  if (file === undefined) throw optionInvalid("replay", "name a recording");
  const reportFile = readReportOptions(invocation);
  if (reportFile !== undefined && script !== undefined) {
    throw optionInvalid(
      "--report",
      "it shows the recording: leave out the script, or update the recording with --update first",
    );
  }
  const path = resolve(context.cwd, file);
  const recording = await loadRecording(path);
  const pool = makeSandboxPool({ refill: false, maxMemoryBytes: capLimits(recording.limits).maxMemoryBytes });
  try {
    void pool.warm().catch(() => undefined); // Said when it is taken.
    const changed = script === undefined ? undefined : await bundleChanged(script, context);
    if (changed !== undefined && "diagnostics" in changed) {
      for (const line of changed.diagnostics.flatMap(printDiagnostic)) context.output.note(line);
      return 1;
    }
    const asJson = options.has("json");
    const replayed = await replayRecording(recording, {
      pool,
      update: options.has("update"),
      signal: context.signal,
      ...(changed !== undefined && { changed }),
      ...(!asJson && { onLog: (entry: LogEntry) => context.output.note(printLog(entry)) }),
    });
    printAnswer(replayed.answer, asJson, context.output);
    printVersions(recording, replayed, context);
    if (replayed.updated !== undefined) await update(path, replayed.updated, replayed, context);
    if (reportFile !== undefined && !context.signal.aborted) await report(reportFile, recording, replayed, context.cwd);
    return replayed.divergence !== undefined || context.signal.aborted ? 1 : 0;
  } finally {
    await pool.close();
  }
};

type Changed = NonNullable<ReplayOptions["changed"]>;

/** Bundles a script against what is generated already: a replay starts no server and writes nothing but the recording. */
async function bundleChanged(file: string, context: CommandContext): Promise<Changed | { diagnostics: Diagnostic[] }> {
  const { bundleForReplay } = await import("../../engine/host/bundle-for-replay.ts");
  return bundleForReplay(file, { ...context, note: context.output.note });
}

async function update(
  path: string,
  recording: Recording,
  { changes }: Replay,
  { output, cwd }: CommandContext,
): Promise<void> {
  for (const { place, pointer = "", expected, received } of changes) {
    const at = pointer === "" ? place : `${place} at ${pointer}`;
    output.note(oneLine(`Updated ${at}: ${expected} is now ${received}`));
  }
  await writeRecording(path, recording, cwd);
}

/** The page shows the recording, and where the replay went another way. */
async function report(file: ReportFile, recording: Recording, { answer, updated }: Replay, cwd: string): Promise<void> {
  const { reportOfRecording } = await import("../../engine/observe/report/report-of-recording.ts");
  const { writeReport } = await import("../../engine/report-file.ts");
  const drawn = reportOfRecording(updated ?? recording, file);
  const diverged = answer.diagnostics.filter(({ code }) => code === "REPLAY_DIVERGED");
  const isOk = drawn.isOk && diverged.length === 0;
  await writeReport(file.path, { ...drawn, isOk, diagnostics: [...drawn.diagnostics, ...diverged] }, cwd);
}

/** What another version of Node words differently looks like a change of the script. */
function printVersions({ madeBy }: Recording, { divergence }: Replay, { output }: CommandContext): void {
  if (divergence === undefined || madeBy.node === process.version) return;
  output.note(oneLine(`note: It was recorded with Node ${madeBy.node}; this is ${process.version}.`));
}
