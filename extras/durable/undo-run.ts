import type { DoneCall, DurableRequest, LostCall, PlanUndo } from "../../engine/run/durable-extra.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { ToolReply } from "../../schemas/lock/tools.ts";
import { type Diagnostic, errorsOf, failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import { nameOfCall } from "../../schemas/run/compare-calls.ts";
import type { StepOf } from "../../schemas/run/durable-run.ts";
import { effectOf, endOf, type FoldedRun, foldRun, mayBeUndone } from "../../schemas/run/fold-run.ts";
import { KEY_REUSED } from "../../schemas/run/run-key.ts";
import { durableRunOpen, undoFailed } from "./durable-errors.ts";
import { idOfKey } from "./run-identity.ts";
import type { DurableStore } from "./kept-runs.ts";
import { claimRun } from "./run-store.ts";
import { onlyReads } from "./take-over.ts";

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
    const { calls: made } = foldRun(owned.steps);
    const calls = findDone(made).toReversed();
    const undone: DoneCall[] = [];
    // The run ends as it has ended.
    const keep = (step: StepOf<"undoing" | "undone">): Promise<void> => owned.append([step, end], true);
    for (const [at, undo] of plan(calls, { ...owned.run, lost: findLost(made) }).entries()) {
      const call = calls[at] as DoneCall;
      if (undo === undefined) continue;
      await keep({ kind: "undoing", call: call.number });
      try {
        await undo();
      } catch (error) {
        await keep({ kind: "undoing", call: call.number, hasFailed: true });
        throw undoFailed(call, undone, error);
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
function findDone(calls: FoldedRun["calls"]): DoneCall[] {
  return [...calls].flatMap(([number, state]) => {
    const { call, sent, reply, undo } = state;
    const last = sent.at(-1);
    if (call === undefined || last === undefined || reply === undefined || undo?.kind === "undone") return [];
    const result = JSON.parse(reply.replyJson) as ToolReply;
    if (!result.ok) return [];
    const { serverId, toolName } = call;
    const isUnclear = mayBeUndone(state) ? true : undefined;
    return [
      { number, serverId, toolName, input: last.input, result: result.value, ...withoutUndefined({ isUnclear }) },
    ];
  });
}

/** The calls that may have been made, and whose answer is not known. */
function findLost(calls: FoldedRun["calls"]): LostCall[] {
  return [...calls].flatMap(([number, { call, ...state }]) =>
    call !== undefined && effectOf(state) === "unknown"
      ? [{ number, serverId: call.serverId, toolName: call.toolName }]
      : [],
  );
}

/**
 * Runs a script that takes back what a run has done: its input are the calls of that run, the last first. When it has ended well, they count as taken back.
 * Its key is of that run, so a second try goes on with the first, and one after the end gives its answer. With `from` a corrected script goes on.
 * @param work how it is begun; the lockfile says which tools only read
 * @throws CodemodeError as `undoRun`
 */
export async function undoByScript(
  store: DurableStore,
  id: string,
  request: DurableRequest,
  { begin, lockfile }: { begin: (request: DurableRequest) => Promise<RunAnswer>; lockfile: Lockfile | undefined },
): Promise<RunAnswer> {
  let done: readonly DoneCall[] = [];
  let lost: readonly LostCall[] = [];
  await undoRun(store, id, (calls, run) => {
    done = calls;
    lost = run.lost;
    return [];
  });
  const { key = ["undo", id, request.from ?? []].flat().join(":") } = request;
  const earlier = await store.read(idOfKey(key, request.access.client, store.scope));
  const isOver = done.length === 0 && earlier !== undefined;
  const answer = await begin({ ...request, key, input: isOver ? earlier.run.input : done.map(toInput) });
  if (earlier !== undefined && answer.diagnostics.some(({ code }) => code === KEY_REUSED.code))
    return failedAnswer([describeOther(id, earlier.run.id)]);
  const left = lost.filter((call) => lockfile === undefined || !onlyReads(call, lockfile)).map(describeLost);
  const whole = left.length === 0 ? answer : { ...answer, diagnostics: [...answer.diagnostics, ...left] };
  if (errorsOf(answer.diagnostics).length > 0) return whole;
  const given = new Set(done.map(({ number }) => number));
  await undoRun(
    store,
    id,
    (calls) => calls.map(({ number }) => (given.has(number) ? nothing : undefined)),
    answer.runId,
  );
  return whole;
}

/** The script has done it. */
async function nothing(): Promise<void> {}

function toInput({ number, serverId, toolName, input, result }: DoneCall): JsonValue {
  return { call: number, tool: `${serverId}/${toolName}`, input, result };
}

/** Another script, or other calls, than the run of before was to take back. */
function describeOther(id: string, undoneBy: string): Diagnostic {
  return {
    ...KEY_REUSED,
    message: `Run ${undoneBy} takes run ${id} back, with another script or for other calls`,
    hint: `Look at it by \`codemode runs ${undoneBy}\`. Where it has failed, a corrected script goes on with it by \`--undo ${id} --from ${undoneBy}\`.`,
  };
}

/** Of a call that a script could not take back. */
export function describeLost(call: LostCall): Diagnostic {
  return {
    severity: "warning",
    code: "UNDO_INCOMPLETE",
    message: `It is not known whether call ${call.number} (${nameOfCall(call)}) was made: the script did not get it`,
    hint: "Look at its server, and take it back there if it was made.",
  };
}
