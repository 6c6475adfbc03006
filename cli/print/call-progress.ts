import type { OnProgress } from "../../schemas/progress.ts";
import { describeProgress } from "../../schemas/run/describe-progress.ts";
import type { ToolCallEvent } from "../../schemas/run/tool-call-event.ts";

/** Shows what servers report of a call. Their numbers may be anything: a bar takes no more than its whole. */
export function showCallProgress(update: OnProgress): (event: ToolCallEvent) => void {
  return (event) => {
    if (event.kind !== "progress") return;
    const { serverId, toolName, progress, total = 0 } = event;
    const isKnown = total > 0 && progress >= 0;
    const text = `${serverId}/${toolName}: ${describeProgress(event)}`;
    update({ done: isKnown ? Math.min(progress, total) : 0, total: isKnown ? total : 0, text });
  };
}
