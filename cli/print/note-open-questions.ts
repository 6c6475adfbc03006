import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { type ApprovalRequest, type Approve, describeToolToApprove } from "../../schemas/run/approval.ts";
import { describeCallToApprove } from "../../schemas/run/describe-call.ts";
import { parseQuestionId } from "../../schemas/run/question-id.ts";
import { toLocalTime } from "../../schemas/run/describe-durable-run.ts";
import type { RunOverview } from "../../schemas/run/durable-run.ts";
import type { CommandContext } from "../command.ts";
import { terminalOf } from "./ask-on-terminal.ts";

/**
 * Says what a durable run waits for, and how it is answered, where this command has no terminal to ask on: it would wait without a word. A question that is in no
 * log has no id: it does not wait.
 */
export function noteOpenQuestions(
  approve: Approve,
  { output, signal }: Pick<CommandContext, "output" | "signal">,
): Approve {
  return (request) => {
    const { id = "" } = request;
    const run = parseQuestionId(id)?.run;
    if (run !== undefined && terminalOf(signal) === undefined)
      for (const line of [
        ...describeQuestion(request),
        "There is no terminal to ask on. Answer in another one with your passphrase, or end this command and go on in a terminal:",
        `  codemode approvals ${id} --approve`,
        `  codemode runs ${run} --resume`,
      ])
        output.note(oneLine(line));
    return approve(request);
  };
}

function describeQuestion(request: ApprovalRequest): string[] {
  if (request.call !== undefined) return ["A call of the run waits for a person:", ...describeCallToApprove(request)];
  return [
    "The run waits for a person before it calls these tools:",
    ...request.tools.flatMap((tool) => describeToolToApprove(tool)),
  ];
}

/** The answer of a run that has ended is there for as long as the run is kept. */
export function describeOldAnswer(id: string, endedAt: number): string {
  return `Run ${id} ended at ${toLocalTime(endedAt)}. This is its answer: nothing runs.`;
}

/** How a run that has failed goes on: the same command with its key gives its answer again. */
export function describeRetry(run: Pick<RunOverview, "id" | "state" | "error"> | undefined): string[] {
  if (run?.state !== "ended" || run.error === undefined || run.error === "RUN_CANCELLED") return [];
  return [`To make again what has failed, and nothing else: codemode runs ${run.id} --retry`];
}
