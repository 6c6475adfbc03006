import { withView } from "../../schemas/run/describe-call.ts";
import { toResult } from "../../runtime/host/call/decide-call.ts";
import type { CallHost } from "../../runtime/host/run.ts";
import { toEntry } from "../../runtime/host/checks/review-manifest.ts";
import { toHostReply } from "../../runtime/host/call/to-reply.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import type { ToolCall, ToolReply } from "../../schemas/lock/tools.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { ApprovalRequest, CallDecision } from "../../schemas/run/approval.ts";
import type { StepOf } from "../../schemas/run/durable-run.ts";

/** A call that was sent before, and whose answer was lost. */
export interface DoubtfulCall {
  call: ToolCall;
  tool: LockedTool;
  sent: StepOf<"sent">;
  /** How often it was sent: what a person has said of the time before says nothing of this one. */
  times: number;
}

/** The question to a person: was it made? */
export function askOfDoubt(
  { call: { serverId, toolName, place }, tool, sent: { call: number, input }, times }: DoubtfulCall,
  made: ReadonlyMap<string, number>,
  problem: string | undefined,
  { viewOf }: Pick<CallHost, "viewOf">,
): ApprovalRequest {
  const call = {
    number,
    input,
    position: 1,
    total: 1,
    made,
    isInDoubt: true,
    ...withoutUndefined({ place, problem }),
  } as const;
  return {
    tools: [toEntry(serverId, tool)],
    digest: integrityOf(["in doubt", number, times, serverId, toolName, tool.integrity, input]),
    call: withView(call, viewOf?.(tool)),
  };
}

/** What a person says of such a call: its reply, that it is to be made, that the run stops, or why the answer cannot be used. */
export function readDoubt(
  decision: CallDecision,
  { call, tool }: DoubtfulCall,
  { checkOutput }: Pick<CallHost, "checkOutput">,
): ToolReply | "make" | "stop" | { problem: string } {
  if (decision.verdict === "granted") return "make";
  if (decision.verdict === "refused") return "stop";
  if (decision.verdict === "changed")
    return { problem: "The server may have got the call already: it cannot be changed" };
  const result = toResult(tool, decision.result);
  const problem = checkOutput(tool, result);
  if (problem !== undefined) return { problem };
  const reply = toHostReply(result, call);
  return reply.ok ? { ...reply, changed: { kind: "result" } } : reply;
}

/** The end of a run that a person has stopped at such a call. */
export function describeStop({ serverId, toolName }: ToolCall): Diagnostic {
  return {
    severity: "error",
    code: "RUN_CANCELLED",
    message: `A person has stopped the run: it is not known whether ${serverId}/${toolName} was done`,
    hint: "Find out what the script has done so far, and ask the user before you go on.",
  };
}
