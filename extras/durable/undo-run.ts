import type { DoneCall, DurableRequest, PlanUndo } from "../../engine/run/durable-extra.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { ToolReply } from "../../schemas/lock/tools.ts";
import { errorsOf, type RunAnswer } from "../../schemas/run/answer.ts";
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

/**
 * Runs a script that takes back what a run has done: its input are the calls of that run, the last first. When it has ended well, they count as taken back.
 * Its key is of that run, so a second try goes on with the first.
 * @throws CodemodeError as `undoRun`
 */
export async function undoByScript(
  store: DurableStore,
  id: string,
  request: DurableRequest,
  begin: (request: DurableRequest) => Promise<RunAnswer>,
): Promise<RunAnswer> {
  let done: readonly DoneCall[] = [];
  await undoRun(store, id, (calls) => {
    done = calls;
    return [];
  });
  const answer = await begin({ ...request, key: request.key ?? `undo:${id}`, input: done.map(toInput) });
  if (errorsOf(answer.diagnostics).length > 0) return answer;
  await undoRun(store, id, (calls) => calls.map(() => nothing), answer.runId);
  return answer;
}

/** The script has done it. */
async function nothing(): Promise<void> {}

function toInput({ number, serverId, toolName, input, result }: DoneCall): JsonValue {
  return { call: number, tool: `${serverId}/${toolName}`, input, result };
}
