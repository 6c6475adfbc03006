import type { RunRequest } from "../../engine/run/host.ts";
import type { CallHost } from "../../runtime/host/run.ts";
import type { ToolReply } from "../../schemas/lock/tools.ts";
import type { ApprovalRequest, Approve, CallDecision } from "../../schemas/run/approval.ts";
import type { FoldedRun } from "../../schemas/run/fold-run.ts";
import { makeRunFold } from "../../schemas/run/fold-run.ts";
import { askOfCall } from "./asked-step.ts";
import { askOfDoubt, describeStop, type DoubtfulCall, readDoubt } from "./doubts.ts";
import { type QuestionPlace, type RunQuestions, unavailable } from "./questions.ts";
import { type OwnedRun, RunTaken } from "./kept-runs.ts";
import type { Stop } from "./steps.ts";

interface PeopleOptions {
  owned: OwnedRun;
  keep: OwnedRun["append"];
  questions: RunQuestions;
  request: RunRequest;
  host: CallHost;
  /** What was recorded of the calls before this attempt. */
  recorded: FoldedRun["calls"];
  stop: (why: Stop) => void;
  /** Called when a call begins or ends to wait for a person. */
  onChange: () => void;
}

/** Asks people about the calls of a script while it runs, unless they have decided before. */
export function makePeople(options: PeopleOptions) {
  const { owned, keep, questions, request, host, recorded, stop, onChange } = options;
  const folded = makeRunFold(owned);
  const rounds = new Map<string, number>();
  let asking = 0;
  let isOver = false;

  /** Counts a question that is kept: while all calls of a script wait for people, its sandbox may be given back. */
  const whileAsking = async (decided: Promise<CallDecision>): Promise<CallDecision> => {
    asking += 1;
    onChange();
    try {
      return await decided;
    } finally {
      asking -= 1;
      onChange();
    }
  };

  /** It waits as long as that takes. */
  const decide = async (id: number, asked: ApprovalRequest, channel: Approve): Promise<CallDecision> => {
    const { digest } = asked;
    const place = nextPlace(rounds, id, digest);
    const known = folded().asked.get(id);
    const decided = known?.decided.filter((step) => step.digest === digest)[place.round];
    if (decided !== undefined) {
      questions.close(place);
      return decided.decision;
    }
    try {
      if (isOver) throw new RunTaken();
      // It is in the log already where it was put before the sandbox was given back.
      const kept = known?.open?.digest === digest ? undefined : keep([askOfCall(asked, id)], true);
      const numberOf = (): number | undefined => folded().asked.get(id)?.open?.number;
      const decided = questions.ask(place, asked, channel, { run: owned.run.id, numberOf, kept });
      await kept;
      const decision = await whileAsking(decided);
      // The next attempt gets it, and begins at once: the question is answered and not closed.
      if (isOver) throw new RunTaken();
      questions.close(place);
      return decision;
    } catch (why) {
      if (!isOver) stop({ end: { kind: "taken", why } });
      throw why;
    }
  };

  const { approve, access, askOperator = unavailable } = request;
  const channelOfDoubt = access.mayApprove ? approve : askOperator;
  const settleDoubt = async (doubt: DoubtfulCall & { id: number }): Promise<ToolReply | undefined> => {
    for (let problem: string | undefined; ;) {
      const decision = await decide(doubt.id, askOfDoubt(doubt, countSent(recorded), problem, host), channelOfDoubt);
      const read = readDoubt(decision, doubt, host);
      if (read === "make") return undefined;
      if (read === "stop") {
        stop({ finding: describeStop(doubt.call) });
        return STOPPED;
      }
      if ("ok" in read) return read;
      ({ problem } = read);
    }
  };
  return {
    /** Asks about a call that has passed all checks. */
    ask: (id: number, asked: ApprovalRequest, channel: Approve = unavailable): Promise<CallDecision> =>
      decide(id, withEarlierCalls(asked, countSent(recorded)), channel),
    /** Whether a person had allowed all later calls of a tool before this one was made. */
    isGranted: (id: number, tool: string): boolean => folded().isGranted(id, tool),
    /** The digests of the questions about a call that were answered. */
    answered: (id: number): readonly string[] => (folded().asked.get(id)?.decided ?? []).map(({ digest }) => digest),
    /** Asks whether a call was made. */
    settleDoubt,
    asking: () => asking,
    /** The sandbox is given back: what a person says from now on is for the next attempt. */
    end: () => void (isOver = true),
  };
}

const STOPPED: ToolReply = {
  ok: false,
  error: { errorClass: "ToolCallError", message: "The run was stopped.", hint: "Ask the user." },
};

/** The place of a question that comes now: what a person said of the one before it about the same call could not be used. */
function nextPlace(rounds: Map<string, number>, call: number, digest: string): QuestionPlace {
  const name = `${call} ${digest}`;
  const round = rounds.get(name) ?? 0;
  rounds.set(name, round + 1);
  return { call, digest, round };
}

/** With the calls that were made before the sandbox was given back. */
function withEarlierCalls(request: ApprovalRequest, earlier: ReadonlyMap<string, number>): ApprovalRequest {
  const { call } = request;
  if (call === undefined || earlier.size === 0) return request;
  const made = new Map(earlier);
  for (const [name, count] of call.made) made.set(name, (made.get(name) ?? 0) + count);
  return {
    ...request,
    call: Object.defineProperties(
      {},
      { ...Object.getOwnPropertyDescriptors(call), made: { value: made, enumerable: true } },
    ) as typeof call,
  };
}

/** How often each tool was called, by `SERVER/TOOL`. */
function countSent(recorded: FoldedRun["calls"]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { call, sent } of recorded.values()) {
    if (call === undefined || sent.length === 0) continue;
    const name = `${call.serverId}/${call.toolName}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
