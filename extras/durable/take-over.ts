import { Player } from "../../runtime/sandbox/pool/player.ts";
import { runWithDispatcher, type SandboxRun } from "../../runtime/sandbox/pool/run-bundle.ts";
import { isReadOnly } from "../../schemas/access/policy.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { findOperation } from "../../schemas/lock/operations.ts";
import type { DurableRequest } from "../../engine/run/durable-extra.ts";
import { listSome } from "../../schemas/list-some.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import { compareCalls, type NamedCall, nameOfCall } from "../../schemas/run/compare-calls.ts";
import type { Step, StepOf } from "../../schemas/run/durable-run.ts";
import { type CallState, effectOf, foldRun, mayBeUndone } from "../../schemas/run/fold-run.ts";
import { type DurableRun, type DurableStore, type OwnedRun, RunTaken, type StoredRun } from "./kept-runs.ts";

/** What a run of another script takes over of an earlier run. */
export interface TakenOver {
  /** The earlier run. */
  run: DurableRun;
  /** The steps that both have, up to the first call that differs. */
  steps: Step[];
  /** The calls of the earlier run after that which have changed something, or may have, as SERVER/TOOL. */
  left: string[];
}

/**
 * Finds how far a script does what a run has done before: it runs against what is recorded, and reaches no server. Pauses may differ. What a person has
 * decided stays with the earlier run.
 */
export async function takeOver(
  { run, steps }: StoredRun,
  bundle: Bundle,
  lockfile: Lockfile,
  { pool, limits, input, key, signal }: SandboxRun,
): Promise<TakenOver> {
  const { calls, heard } = foldRun(steps);
  const answered = findAnswered(calls);
  const replies = new Map(answered.map((state, at) => [at + 1, state.reply]));
  const taken: Step[] = [];
  /** How many calls are the same, how many replies were heard, and what of the steps is certain: no timer of the new script fires before its time. */
  let [made, replied, certain] = [0, 0, 0];
  const timekeeper = new Player({
    ...{ start: run.start, history: heard, after: "nothing" },
    mayFire: () => replied < answered.length,
    onHeard(event) {
      if ("timer" in event) return void taken.push({ kind: "fire", ...event });
      taken.push({ ...(replies.get(event.call) as StepOf<"reply">), timeMs: event.timeMs });
      replies.delete(event.call);
      replied += 1;
      certain = taken.length;
    },
    onStandstill: () => timekeeper.end({ kind: "stopped" }),
  });
  const dispatcher = {
    accept(received: Parameters<typeof compareCalls>[2], reply: (json: string) => void): boolean {
      const state = answered[made];
      if (state === undefined || compareCalls(made + 1, state.call, received) !== undefined) {
        timekeeper.end({ kind: "stopped" });
        return true;
      }
      made += 1;
      certain = taken.push(state.call, ...state.sent);
      reply(state.reply.replyJson);
      return true;
    },
    close: () => undefined,
    waiting: () => [],
    trace: () => [],
  };
  await runWithDispatcher(bundle, dispatcher, { pool, limits, input, key, signal, timekeeper });
  taken.length = certain;
  const { timeMs: lastMs = 0 } = taken.findLast((step) => step.kind === "reply" || step.kind === "fire") ?? {};
  // What both have called is answered, also where the script has not heard it yet.
  const unheard = [...replies].flatMap(([call, reply]) =>
    call <= made ? [{ ...reply, timeMs: Math.max(lastMs, reply.timeMs) }] : [],
  );
  const left = [...calls.values()].slice(made).filter((state) => hasChanged(state, lockfile));
  return { run, steps: [...taken, ...unheard], left: left.flatMap(({ call }) => (call ? [nameOfCall(call)] : [])) };
}

type AnsweredCall = CallState & { call: StepOf<"call">; reply: StepOf<"reply"> };

/** The calls of a run in their order, up to the first that has no answer, or was taken back, perhaps. */
function findAnswered(calls: ReadonlyMap<number, CallState>): AnsweredCall[] {
  const all = [...calls.values()];
  const end = all.findIndex((state) => state.call === undefined || state.reply === undefined || mayBeUndone(state));
  return all.slice(0, end < 0 ? all.length : end) as AnsweredCall[];
}

/** Whether a call has changed something at its server, or may have. */
function hasChanged(state: CallState, lockfile: Lockfile): boolean {
  return effectOf(state) !== "none" && !(state.call !== undefined && onlyReads(state.call, lockfile));
}

/** Whether the tool of a call only reads, as its server says now. */
export function onlyReads({ serverId, toolName }: NamedCall, { servers }: Lockfile): boolean {
  const tool = findOperation(servers.get(serverId), toolName);
  return tool !== undefined && isReadOnly(tool);
}

/** Whether a run may begin though calls of the earlier one stay as they are. */
export async function mayLeave({ left }: TakenOver, request: Pick<DurableRequest, "mayLeave">): Promise<boolean> {
  return left.length === 0 || (await request.mayLeave?.(left)) === true;
}

/** Of a run that does not begin. */
export function describeLeft({ run, left }: TakenOver): Diagnostic {
  return {
    severity: "error",
    code: "APPROVAL_REQUIRED",
    message: `Run ${run.id} has made calls that this script does not make there: ${listSome(left)}`,
    hint: "Run it in a terminal, where you are asked whether they stay as they are.",
  };
}

/** Keeps a new run, with what it takes over. */
export async function createFrom(
  store: DurableStore,
  made: DurableRun,
  taken: TakenOver | undefined,
): Promise<OwnedRun> {
  const { run, steps } = taken ?? { run: made, steps: [] };
  const { id: from, start, begunOn } = run;
  const created = await store.create(steps.length > 0 ? { ...made, from, start, begunOn } : made, steps);
  if (created === "held") throw new RunTaken();
  return created;
}

/** Why a run ends that its process has begun and not taken over to the end: it would make the calls again. */
export function whyLost({ run: { from }, steps }: OwnedRun): Diagnostic | undefined {
  if (from === undefined || steps.length > 0) return undefined;
  return {
    severity: "error",
    code: "RUN_LOST",
    message: `Its process ended before it had taken over the answers of run ${from}: nothing was called`,
    hint: "Run the script again.",
  };
}
