import type { DoneCall, PlanUndo } from "../../engine/run/durable-extra.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { ToolReply } from "../../schemas/lock/tools.ts";
import type { Step, StepOf } from "../../schemas/run/durable-run.ts";
import { endOf, foldRun, mayBeUndone } from "../../schemas/run/fold-run.ts";
import { durableRunOpen } from "./durable-errors.ts";
import { claimRun, type DurableStore } from "./run-store.ts";

/**
 * Takes back what a run has done, the last call first. Each is kept before and after: what was taken back is not taken back again, and what a process
 * has begun that ended meanwhile is unclear.
 * @param undoneBy the id of the run whose script has done it
 * @throws CodemodeError `RUN_UNKNOWN`, `RUN_HELD`, `RUN_OPEN` where it has not ended
 */
export async function undoRun(store: DurableStore, id: string, plan: PlanUndo, undoneBy?: string): Promise<DoneCall[]> {
  const owned = await claimRun(store, id);
  const end = endOf(owned.steps);
  try {
    if (end === undefined) throw durableRunOpen(id);
    const calls = findDone(owned.steps).toReversed();
    const undone: DoneCall[] = [];
    // The run ends as it has ended.
    const keep = (step: StepOf<"undoing" | "undone">): Promise<void> => owned.append([step, end], true);
    for (const [at, undo] of plan(calls, owned.run).entries()) {
      const call = calls[at] as DoneCall;
      if (undo === undefined) continue;
      await keep({ kind: "undoing", call: call.number });
      try {
        await undo();
      } catch (error) {
        await keep({ kind: "undoing", call: call.number, hasFailed: true });
        throw error;
      }
      await keep({ kind: "undone", call: call.number, ...withoutUndefined({ undoneBy }) });
      undone.push(call);
    }
    return undone;
  } finally {
    await owned.release(end === undefined ? undefined : "over");
  }
}

/** The calls that have succeeded and were not taken back, in their order. */
function findDone(steps: readonly Step[]): DoneCall[] {
  return [...foldRun(steps).calls].flatMap(([number, state]) => {
    const { call, sent, reply: heard, undo } = state;
    const last = sent.at(-1);
    if (call === undefined || last === undefined || heard === undefined || undo?.kind === "undone") return [];
    const reply = JSON.parse(heard.replyJson) as ToolReply;
    if (!reply.ok) return [];
    const { serverId, toolName } = call;
    const isUnclear = mayBeUndone(state) ? true : undefined;
    return [{ number, serverId, toolName, input: last.input, result: reply.value, ...withoutUndefined({ isUnclear }) }];
  });
}
