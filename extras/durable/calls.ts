import type { BeforeCall } from "../../runtime/host/make-tool-caller.ts";
import type { ToolCallDispatcher, ToolHost } from "../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { isReadOnly, isRepeatable } from "../../schemas/access/policy.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import type { ToolCall, ToolReply } from "../../schemas/lock/tools.ts";
import { compareCalls, type Divergence } from "../../schemas/run/compare-calls.ts";
import type { DoubtfulCall } from "./doubts.ts";
import type { OwnedRun } from "./kept-runs.ts";
import type { StepOf } from "../../schemas/run/durable-run.ts";
import type { FoldedRun } from "../../schemas/run/fold-run.ts";

export interface DurableCallsOptions {
  /** What was recorded of the calls before this attempt. */
  recorded: FoldedRun["calls"];
  keep: OwnedRun["append"];
  /** Throws where no call may go out any more. */
  assertGoing: OwnedRun["assertOwned"];
  findTool(call: Pick<ToolCall, "serverId" | "toolName">): LockedTool | undefined;
  /** A call was sent, and it is not known whether it was made. Resolves to its reply, or to nothing where it is to be made. */
  settleDoubt(doubt: DoubtfulCall & { id: number }): Promise<ToolReply | undefined>;
  /** The script makes a call: it is kept with what happens next. One that nothing has happened with yet is made again. */
  onNewCall(step: Omit<StepOf<"call">, "timeMs">): void;
  /** The script makes another call than it has made before. */
  onOtherCall(divergence: Divergence): void;
  /** Called when a call begins or ends. */
  onChange(): void;
}

/** The calls of a run that goes on: answered ones are not made again, and each is kept before a server gets it. */
export type DurableCalls = ReturnType<typeof makeDurableCalls>;

export function makeDurableCalls(options: DurableCallsOptions) {
  const { recorded, findTool } = options;
  /** Of the call that is being taken now: the dispatcher passes it on at once. */
  let current = 0;
  let inFlight = 0;
  const ids = new Map<number, number>();
  const ends = new Map<number, { durationMs: number; isBroken?: true }>();

  const answer = async (call: ToolCall, ask: () => ReturnType<NonNullable<ToolHost["callRaw"]>>) => {
    const id = current;
    if (call.number !== undefined) ids.set(call.number, id);
    const known = recorded.get(id)?.reply;
    if (known !== undefined) {
      const reply = JSON.parse(known.replyJson) as ToolReply;
      return known.isBroken === true && !reply.ok ? { ...reply, isBroken: true } : reply;
    }
    const startedAt = performance.now();
    inFlight += 1;
    options.onChange();
    try {
      const { sent = [] } = recorded.get(id) ?? {};
      const latest = sent.at(-1);
      const tool = findTool(call);
      const settled =
        latest === undefined || tool === undefined || isRepeatable(tool)
          ? undefined
          : await options.settleDoubt({ call, tool, sent: latest, id, times: sent.length });
      const reply = settled ?? (await ask());
      const isBroken = "isBroken" in reply && reply.isBroken === true ? true : undefined;
      ends.set(id, { durationMs: Math.round(performance.now() - startedAt), ...withoutUndefined({ isBroken }) });
      return reply;
    } finally {
      inFlight -= 1;
      options.onChange();
    }
  };

  const durationOf = (id = 0) => withoutUndefined({ durationMs: recorded.get(id)?.reply?.durationMs });
  /** Each call is noted before it is passed on. */
  const wrapDispatcher = (inner: ToolCallDispatcher): ToolCallDispatcher => ({
    ...inner,
    accept(call, reply) {
      current += 1;
      const { serverId, toolName, inputJson } = call;
      const expected = recorded.get(current)?.call;
      const divergence = expected && compareCalls(current, expected, call);
      if (expected === undefined) options.onNewCall({ kind: "call", call: current, serverId, toolName, inputJson });
      if (divergence === undefined) return inner.accept(call, reply);
      options.onOtherCall(divergence);
      return true;
    },
    trace: () => inner.trace().map((entry, at) => ({ ...entry, ...durationOf(ids.get(at + 1)) })),
  });

  const beforeCall: BeforeCall = async (call, input) => {
    const tool = findTool(call);
    // After a loss of power, what only reads is made again. What changes something stays known.
    const isFlushed = tool === undefined || !isReadOnly(tool);
    await options.keep([{ kind: "sent", call: ids.get(call.number ?? 1) ?? 0, input }], isFlushed);
    return options.assertGoing;
  };

  return {
    wrapDispatcher,
    wrapHost: (host: ToolHost): ToolHost => ({
      call: (call, signal, onSign) =>
        answer(call, () => host.call(call, signal, onSign)) as ReturnType<ToolHost["call"]>,
      callRaw: (call, signal, onSign) => answer(call, () => (host.callRaw ?? host.call)(call, signal, onSign)),
    }),
    beforeCall,
    /** The number of a call in the recording, by its number among those to servers. */
    idOf: (number: number): number => ids.get(number) ?? 0,
    /** Whether an event is one of a call that has had its answer before. */
    isReplayed: ({ number }: { number: number }): boolean =>
      recorded.get(ids.get(number) ?? current)?.reply !== undefined,
    endOf: (id: number) => ends.get(id) ?? { durationMs: 0 },
    /** Calls that have begun now and have no answer, without questions to the host. */
    inFlight: (): number => inFlight,
  };
}

/** How often each tool was called, by `SERVER/TOOL`. */
export function countSent(recorded: FoldedRun["calls"]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { call, sent } of recorded.values()) {
    if (call === undefined || sent.length === 0) continue;
    const name = `${call.serverId}/${call.toolName}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
