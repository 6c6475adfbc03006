import type { DoneCall, PlanUndo } from "../../engine/run/durable-extra.ts";
import { durableRunUnknown } from "../../schemas/errors.ts";
import type { ToolReply } from "../../schemas/lock/tools.ts";
import type { Step, StepOf } from "../../schemas/run/durable-run.ts";
import { foldRun } from "../../schemas/run/fold-run.ts";
import { durableRunHeld, durableRunOpen } from "./durable-errors.ts";
import type { DurableStore } from "./run-store.ts";

/**
 * Takes back what a run has done, the last call first, and keeps each that was taken back: it is not taken back again.
 * @throws CodemodeError `RUN_UNKNOWN`, `RUN_HELD`, `RUN_OPEN` where it has not ended
 */
export async function undoRun(store: DurableStore, id: string, plan: PlanUndo): Promise<DoneCall[]> {
  const owned = await store.claim(id);
  if (owned === undefined) throw durableRunUnknown(id);
  if (owned === "held") throw durableRunHeld(id);
  const end = owned.steps.at(-1);
  try {
    if (end?.kind !== "ended") throw durableRunOpen(id);
    const calls = findDone(owned.steps).toReversed();
    const undone: DoneCall[] = [];
    for (const [at, undo] of plan(calls).entries()) {
      const call = calls[at] as DoneCall;
      if (undo === undefined) continue;
      await undo();
      // The run ends as it has ended.
      await owned.append([{ kind: "undone", call: call.number }, end], true);
      undone.push(call);
    }
    return undone;
  } finally {
    await owned.release(end?.kind === "ended" ? "over" : undefined);
  }
}

/** The calls that have succeeded and were not taken back, in their order. */
function findDone(steps: readonly Step[]): DoneCall[] {
  const undone = new Set(
    steps.filter((step): step is StepOf<"undone"> => step.kind === "undone").map(({ call }) => call),
  );
  return [...foldRun(steps).calls].flatMap(([number, { call, sent, reply: heard }]) => {
    const last = sent.at(-1);
    if (call === undefined || last === undefined || heard === undefined || undone.has(number)) return [];
    const reply = JSON.parse(heard.replyJson) as ToolReply;
    if (!reply.ok) return [];
    const { serverId, toolName } = call;
    return [{ number, serverId, toolName, input: last.input, result: reply.value }];
  });
}
