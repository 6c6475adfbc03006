import type { Call, CallReply, HandleCall, Known } from "../../runtime/sandbox/pool/handle-call.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { isReadOnly, isRepeatable } from "../../schemas/access/policy.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import type { ToolCall, ToolReply } from "../../schemas/lock/tools.ts";
import { compareCalls, type Divergence } from "../../schemas/run/compare-calls.ts";
import type { DoubtfulCall } from "./doubts.ts";
import type { OwnedRun } from "./kept-runs.ts";
import type { StepOf } from "../../schemas/run/durable-run.ts";
import type { FoldedRun } from "../../schemas/run/fold-run.ts";

/** What people decide, and have decided, about the calls of a run, each by its number in the log. */
export interface CallPeople {
  isGranted(call: number, tool: string): boolean;
  answered(call: number): readonly string[];
  ask(call: number, ...asked: Parameters<NonNullable<Known["ask"]>>): ReturnType<NonNullable<Known["ask"]>>;
  /** A call was sent, and it is not known whether it was made. Resolves to its reply, or to nothing where it is to be made. */
  settleDoubt(doubt: DoubtfulCall & { id: number }): Promise<ToolReply | undefined>;
}

export interface DurableCallsOptions {
  /** What was recorded of the calls before this attempt. */
  recorded: FoldedRun["calls"];
  keep: OwnedRun["append"];
  /** Throws where no call may go out any more. */
  assertGoing: OwnedRun["assertOwned"];
  findTool(call: Pick<ToolCall, "serverId" | "toolName">): LockedTool | undefined;
  people: CallPeople;
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
  const { recorded, findTool, people } = options;
  let latest = 0;
  let inFlight = 0;
  const ends = new Map<number, { durationMs: number; isBroken?: true }>();

  const keepSent = async (position: number, tool: LockedTool | undefined, input: StepOf<"sent">["input"]) => {
    // After a loss of power, what only reads is made again. What changes something stays known.
    const isFlushed = tool === undefined || !isReadOnly(tool);
    await options.keep([{ kind: "sent", call: position, input }], isFlushed);
    return options.assertGoing;
  };

  const make = async (call: Call, perform: HandleCall): Promise<CallReply> => {
    const { position: id, serverId, toolName, input } = call;
    const startedAt = performance.now();
    inFlight += 1;
    options.onChange();
    try {
      const { sent = [] } = recorded.get(id) ?? {};
      const latestSent = sent.at(-1);
      const tool = findTool(call);
      const isClear = latestSent === undefined || tool === undefined || input === undefined || isRepeatable(tool);
      const settled = isClear
        ? undefined
        : await people.settleDoubt({ call: { ...call, input }, tool, sent: latestSent, id, times: sent.length });
      const reply =
        settled ??
        (await perform(call, {
          isGranted: () => people.isGranted(id, `${serverId}/${toolName}`),
          answered: () => people.answered(id),
          ask: (asked, channel) => people.ask(id, asked, channel),
          beforeSend: (checked) => keepSent(id, tool, checked),
        }));
      const isBroken = "isBroken" in reply && reply.isBroken === true ? true : undefined;
      ends.set(id, { durationMs: Math.round(performance.now() - startedAt), ...withoutUndefined({ isBroken }) });
      return reply;
    } finally {
      inFlight -= 1;
      options.onChange();
    }
  };

  return {
    /** What was recorded of a call is its reply; else it is noted, and made. */
    around:
      (perform: HandleCall): HandleCall =>
      (call) => {
        const { position, serverId, toolName, inputJson } = call;
        latest = position;
        const { call: expected, reply } = recorded.get(position) ?? {};
        const divergence = expected && compareCalls(position, expected, call);
        if (expected === undefined) options.onNewCall({ kind: "call", call: position, serverId, toolName, inputJson });
        if (divergence !== undefined) {
          options.onOtherCall(divergence);
          return new Promise(() => undefined); // nothing hears it
        }
        return reply === undefined ? make(call, perform) : Promise.resolve(toReply(reply));
      },
    /** Whether the next call has had its reply before. */
    isNextReplayed: (): boolean => recorded.get(latest + 1)?.reply !== undefined,
    endOf: (id: number) => ends.get(id) ?? { durationMs: 0 },
    /** Calls that have begun now and have no answer. */
    inFlight: (): number => inFlight,
  };
}

function toReply({ replyJson, durationMs, isBroken }: StepOf<"reply">): CallReply {
  const reply = JSON.parse(replyJson) as ToolReply;
  const replayed = { ...reply, durationMs, isReplayed: true } as const;
  return isBroken === true && !replayed.ok ? { ...replayed, isBroken } : replayed;
}
