import { resolve } from "node:path";
import { loadExtra, type RecordExtra, type RunRecorder } from "../../engine/extras.ts";
import { CodemodeError, type RunAnswer } from "../../library/index.ts";
import { unlessCode } from "../../schemas/codemode-error.ts";
import { exitCodeOf } from "../../schemas/run/answer.ts";
import { optionInvalid, runNotKept } from "../../schemas/errors.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type Command, type CommandContext, type Invocation, loadExtraCommand, type OptionValues } from "../command.ts";
import { openProjectHere, readScriptArgument } from "../open-project.ts";
import { approverOf, askerOf, askToChange, askToLeave, askToMove } from "../print/ask-on-terminal.ts";
import { describeOldAnswer, describeRetry, noteOpenQuestions } from "../print/note-open-questions.ts";
import { showAnswer, printLog } from "../print/print-answer.ts";
import { reportError } from "../print/report.ts";
import { type ReportExtra, readReportOptions } from "../report-extra.ts";
import { readInput, readLimits, readWholeNumber } from "../read-run-options.ts";
import type { OnProgress } from "../../schemas/progress.ts";
import { type ToolCallEvent, describeProgress, printSkippedCall } from "../../schemas/run/tool-call-event.ts";

/** `codemode run`: logs to stderr as they happen, the result to stdout; with `--json` the whole answer instead. */
export const run: Command = async (invocation) => {
  const { options, context } = invocation;
  const recorder = await recorderOf(invocation);
  const reportFile = readReportOptions(invocation);
  if (isBatch(options)) return (await loadExtraCommand("batch", "runBatch"))(invocation);
  if (recorder !== undefined || reportFile !== undefined) {
    const { assertOutput } = await import("../../engine/files.ts");
    if (recorder !== undefined) await assertOutput(recorder.file, "recording", context.cwd);
    if (reportFile !== undefined) await assertOutput(reportFile.path, "report", context.cwd);
  }
  const limits = readLimits(options);
  const input = await readInput(invocation);
  const project = await openProjectHere(context);
  const script = await project.read(await readScriptArgument(invocation, "run"));
  const reporter = reportFile && (await loadExtra<ReportExtra>("ui")).makeReporter(reportFile, context.cwd);
  const { output, showProgress, signal } = context;
  const progress = showProgress("Running", options.has("json"));
  const ask = askerOf(signal);
  const { approve: approveHere, approvalBy } = approverOf(options.has("approve"), context);
  const approve = noteOpenQuestions(approveHere, context);
  const engine = await project.openEngine({
    ask: (question, ended) => progress.pause(() => ask(question, ended)),
    ...{ script, limits, showProgress, signal, onNote: output.note, frozen: options.has("frozen") },
    ...{ origin: "cli", refuseBy: "server", onUnstartable: "throw" },
    ...{ approvalBy, approve: (request) => progress.pause(() => approve(request)) },
  });
  const from = options.text("from");
  const undo = options.text("undo");
  let durableId: string | undefined;
  const durable = (options.has("durable") || (from ?? undo) !== undefined) && {
    ...withoutUndefined({ from, undo, waitMs: readWholeNumber(options, "wait", "waitMs") }),
    mayLeave: (calls: readonly string[]) => progress.pause(() => askToLeave(calls, signal)),
    mayMove: (servers: readonly string[]) => progress.pause(() => askToMove(servers, signal)),
    mayChange: (tools: readonly string[]) => progress.pause(() => askToChange(tools, signal)),
    onBegun(id: string, endedAt?: number) {
      durableId = id;
      const isOver = endedAt !== undefined;
      const hint = `Run ${id}. Should this command end before: codemode runs ${id} --resume`;
      output.note(isOver ? describeOldAnswer(id, endedAt) : hint);
    },
    onSuspended: (isSuspended: boolean) => isSuspended && output.note("The run waits for a person or a timer."),
  };
  let answer: RunAnswer;
  try {
    answer = await engine.run(script, {
      ...{ input, key: options.text("key"), durable, record: recorder?.request, onEvent: reporter?.onEvent },
      // Ctrl-C leaves a durable run as it is.
      signal: durable === false ? signal : undefined,
      dryRun: options.has("dryRun") ? { onSkipped: (call) => output.note(printSkippedCall(call)) } : undefined,
      onCall: showCallProgress(progress.update),
      onLog: options.has("json") ? undefined : (entry) => output.note(printLog(entry)),
    });
    progress.end();
    // Printed before the servers have ended.
    showAnswer(answer, options.has("json"), output, "code" in script ? script.code : undefined);
    const hasFailedCall = answer.toolTrace.some(({ ok }) => !ok);
    if (durableId !== undefined && hasFailedCall && exitCodeOf(answer) !== 0)
      describeRetry(await (await engine.durableRuns()).find(durableId).catch(unlessCode("RUN_UNKNOWN"))).forEach(
        output.note,
      );
  } finally {
    progress.end();
    await engine.close();
  }
  // Of a pinned bundle a report shows the name alone.
  const shown = "bundle" in script ? { name: script.bundle.name, code: "" } : script;
  const isRecorded = await keep(async () => recorder?.write(), context);
  const isReported = await keep(async () => reporter?.write(answer, shown), context);
  return exitCodeOf(answer) || (isRecorded && isReported ? 0 : 1);
};

/** Whether an option of batches is given: those without inputs are for a journal that has them. */
function isBatch(options: OptionValues): boolean {
  return ["inputs", "journal", "batch", "results", "shard"].some(options.has);
}

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
async function recorderOf({ options, context }: Invocation): Promise<RunRecorder | undefined> {
  const file = options.text("record");
  const redact = options.texts("redact");
  if (file === undefined && redact.length > 0) throw optionInvalid("--redact", "it needs --record");
  if (file !== undefined && options.has("inputs"))
    throw optionInvalid("--record", "it cannot be combined with --inputs: it records one run");
  if (file === undefined) return undefined;
  return (await loadExtra<RecordExtra>("record")).makeRunRecorder(resolve(context.cwd, file), redact, context.cwd);
}

/** Shows what servers report of a call. Their numbers may be anything: a bar takes no more than its whole. */
function showCallProgress(update: OnProgress): (event: ToolCallEvent) => void {
  return (event) => {
    if (event.kind !== "progress") return;
    const { serverId, toolName, progress, total = 0 } = event;
    const isKnown = total > 0 && progress >= 0;
    const text = `${serverId}/${toolName}: ${describeProgress(event)}`;
    update({ done: isKnown ? Math.min(progress, total) : 0, total: isKnown ? total : 0, text });
  };
}
