import { withoutUndefined } from "../json/without-undefined.ts";
import type { ToolReply } from "../lock/tools.ts";
import { toRecordedInput } from "./compare-calls.ts";
import type { Step } from "./durable-run.ts";
import { type CallState, foldRun } from "./fold-run.ts";
import type { RecordedCall, Recording } from "./recording.ts";

/** What a recording holds of the steps of a run: the calls, and what the script has heard of them and of its timers. */
export function toRecordedSteps(steps: readonly Step[]): Pick<Recording, "calls" | "events"> {
  const { calls, heard } = foldRun(steps);
  return {
    calls: [...calls.values()].flatMap(toRecordedCall),
    events: heard.map((step) =>
      step.kind === "fire" ? { timeMs: step.timeMs, timer: step.timer } : { timeMs: step.timeMs, call: step.call },
    ),
  };
}

function toRecordedCall({ call, reply }: CallState): RecordedCall[] {
  if (call === undefined) return [];
  const { serverId, toolName, inputJson, timeMs } = call;
  const ended = reply && { endMs: reply.timeMs, reply: JSON.parse(reply.replyJson) as ToolReply };
  return [{ serverId, toolName, input: toRecordedInput(inputJson), startMs: timeMs, ...withoutUndefined(ended ?? {}) }];
}
