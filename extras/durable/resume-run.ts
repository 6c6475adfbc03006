import type { OptionValues, CommandContext } from "../../cli/command.ts";
import { openProjectHere } from "../../cli/open-project.ts";
import { approverOf, askerOf, askToMove, askToChange } from "../../cli/print/ask-on-terminal.ts";
import { noteOpenQuestions, describeOldAnswer } from "../../cli/print/note-open-questions.ts";
import { printLog, showAnswer } from "../../cli/print/print-answer.ts";
import { readWholeNumber } from "../../cli/read-run-options.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { exitCodeOf } from "../../schemas/run/answer.ts";
import type { RunOverview } from "../../schemas/run/durable-run.ts";

/** Goes on with a run to its end, with the rights of the client that has begun it. */
export async function resumeRun(
  way: "resume" | "retry",
  { id, client, endedAt }: RunOverview,
  options: OptionValues,
  context: CommandContext,
): Promise<number> {
  const { output, showProgress, signal } = context;
  const waitMs = readWholeNumber(options, "wait", "waitMs");
  const project = await openProjectHere(context);
  const { approve: approveHere, approvalBy } = approverOf(options.has("approve"), context);
  const approve = noteOpenQuestions(approveHere, context);
  const engine = await project.openEngine({
    ...{ showProgress, signal, onNote: output.note, origin: "cli", client, approvalBy, approve, ask: askerOf(signal) },
  });
  try {
    const onLog = options.has("json")
      ? undefined
      : (entry: Parameters<typeof printLog>[0]) => output.note(printLog(entry));
    const runs = await engine.durableRuns();
    const waits = withoutUndefined({ onLog, waitMs });
    const mayMove = (servers: readonly string[]) => askToMove(servers, signal);
    const mayChange = (tools: readonly string[]) => askToChange(tools, signal);
    const asking = { ...waits, mayChange };
    const answer = await (way === "retry" ? runs.retry(id, { ...asking, mayMove }) : runs.resume(id, asking));
    // Where it has not ended again, its old answer is printed.
    if (endedAt !== undefined && (await runs.find(id)).endedAt === endedAt) output.note(describeOldAnswer(id, endedAt));
    showAnswer(answer, options.has("json"), output);
    return exitCodeOf(answer);
  } finally {
    await engine.close();
  }
}
