import { resolve } from "node:path";
import { ownAccess } from "../../schemas/access/access.ts";
import { exitCodeOf, type LogEntry } from "../../schemas/run/answer.ts";
import { optionInvalid, runNotKept } from "../../schemas/errors.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { approverOf } from "../print/ask-consent.ts";
import type { Command, CommandContext, Invocation } from "../command.ts";
import { findScript, sourceOf } from "../../engine/project/find-script.ts";
import { assertWritable } from "../../engine/project/files.ts";
import { loadConfig } from "../../engine/project/config/load-config.ts";
import { makeRunRecorder } from "../../engine/host/recording-file.ts";
import { withHost } from "../../engine/open-host.ts";
import { printAnswer, printLog } from "../print/print-answer.ts";
import { printSkippedCall } from "../../engine/host/print-skipped-call.ts";
import { readReportOptions } from "../read-report-options.ts";
import { reportError } from "../print/report.ts";
import { readInput, readLimits } from "../read-run-options.ts";

/** `codemode run`: logs to stderr as they happen, the result to stdout; with `--json` the whole answer instead. */
export const run: Command = async (invocation) => {
  const { args, options, context } = invocation;
  const recorder = recorderOf(invocation);
  const reportFile = readReportOptions(invocation);
  if (options.has("inputs")) return (await import("./run-batch.ts")).runBatch(invocation);
  for (const file of [recorder?.file, reportFile?.path])
    if (file !== undefined) await assertWritable(file, context.cwd);
  const limits = readLimits(options);
  const input = await readInput(invocation);
  const config = await loadConfig(context);
  const script = await findScript({ file: args[0], code: options.text("eval"), cwd: context.cwd }, config);
  if (script === undefined) throw optionInvalid("run", "name a script or its file, - for standard input, or --eval");
  const effective = { ...config, limits: { ...config.limits, ...limits } };
  const settings = {
    origin: "cli",
    note: context.output.note,
    showProgress: context.showProgress,
    signal: context.signal,
    config: effective,
    purpose: { kind: "script", script },
    isFrozen: options.has("frozen"),
    refuseBy: "server",
    onUnstartable: "throw",
  } as const;
  const collector =
    reportFile && (await import("../../engine/observe/report/collect-report.ts")).makeReportCollector(reportFile);
  const answer = await withHost(settings, async (host) => {
    const given = await host.run({
      script: sourceOf(script),
      input,
      access: ownAccess(config.policy),
      ...approverOf(options.has("approve"), context),
      signal: context.signal,
      ...(recorder === undefined ? {} : { record: recorder.request }),
      ...(collector === undefined ? {} : { observation: collector.observation }),
      ...(options.has("dryRun")
        ? { dryRun: { onSkipped: (call) => context.output.note(printSkippedCall(call)) } }
        : {}),
      ...(options.has("json") ? {} : { onLog: (entry: LogEntry) => context.output.note(printLog(entry)) }),
    });
    // Printed before the servers have ended.
    printAnswer(given, options.has("json"), context.output);
    return given;
  });
  const isRecorded = await keep(async () => recorder?.write(), context);
  const isReported = await keep(async () => {
    if (reportFile === undefined || collector === undefined) return;
    const { writeReport } = await import("../../engine/observe/report/report-file.ts");
    await writeReport(reportFile.path, collector.finish(answer, sourceOf(script)), context.cwd);
  }, context);
  return exitCodeOf(answer) || (isRecorded && isReported ? 0 : 1);
};

/** The script has run: what fails now must not read as if nothing had been done. */
async function keep(write: () => Promise<void>, { output, verbose }: CommandContext): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    const isUnwritable = error instanceof CodemodeError && error.code === "FILE_INACCESSIBLE";
    reportError(isUnwritable ? runNotKept(error.message) : error, output, verbose);
    return false;
  }
}

/** What `--record` and `--redact` ask for. */
function recorderOf({ options, context }: Invocation): ReturnType<typeof makeRunRecorder> | undefined {
  const file = options.text("record");
  const redact = options.texts("redact");
  if (file === undefined && redact.length > 0) throw optionInvalid("--redact", "it needs --record");
  if (file !== undefined && options.has("inputs"))
    throw optionInvalid("--record", "it cannot be combined with --inputs: it records one run");
  return file === undefined ? undefined : makeRunRecorder(resolve(context.cwd, file), redact, context.cwd);
}
