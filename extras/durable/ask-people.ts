import { describeCallToApprove } from "../../schemas/run/describe-call.ts";
import type { Step } from "../../schemas/run/durable-run.ts";
import type { RunRequest } from "../../engine/run/host.ts";
import type { OutputCheck } from "../../runtime/host/checks/output-check.ts";
import type { ToolReply } from "../../schemas/lock/tools.ts";
import type { ApprovalRequest, Approve, CallDecision } from "../../schemas/run/approval.ts";
import { countSent, type RecordedCalls } from "./calls.ts";
import { askOfDoubt, describeStop, type DoubtfulCall, readDoubt } from "./doubts.ts";
import { questionOf, recordedDecisions, type RunQuestions } from "./questions.ts";
import { type OwnedRun, RunTaken } from "./run-store.ts";
import type { Stop } from "./steps.ts";

interface PeopleOptions {
  owned: OwnedRun;
  keep: OwnedRun["append"];
  questions: RunQuestions;
  request: RunRequest;
  checkOutput: OutputCheck;
  viewOf: Parameters<typeof askOfDoubt>[3];
  recorded: RecordedCalls;
  stop: (why: Stop) => void;
  /** Called when a call begins or ends to wait for a person. */
  onChange: () => void;
}

/** Asks people about the calls of a script while it runs, unless they have decided before. */
export function makePeople(options: PeopleOptions) {
  const { owned, keep, questions, request, checkOutput, recorded, viewOf, stop, onChange } = options;
  const decisions = recordedDecisions(owned.steps);
  const rounds = new Map<string, number>();
  let asking = 0;
  let isOver = false;

  /** It waits as long as that takes. */
  const decide = async (id: number, asked: ApprovalRequest, channel: Approve): Promise<CallDecision> => {
    const { digest } = asked;
    const question = questionOf({ call: id, digest });
    const round = rounds.get(question) ?? 0;
    rounds.set(question, round + 1);
    const place = `${question} ${round}`;
    const known = decisions.ofQuestions.get(question)?.[round];
    if (known !== undefined) {
      questions.close(place);
      return known.decision;
    }
    asking += 1;
    try {
      if (!isAsked(owned.steps, id, digest))
        await keep([{ kind: "asked", call: id, digest, lines: describeCallToApprove(asked) }], true);
      onChange();
      const decision = await questions.ask(place, asked, channel);
      const assertGoing = (): void => {
        // The next stretch gets it, and begins at once: the question is answered and not closed.
        if (isOver) throw new RunTaken();
      };
      assertGoing();
      await keep([{ kind: "decided", call: id, digest, decision }], true);
      assertGoing();
      questions.close(place);
      return decision;
    } catch (why) {
      if (!isOver) stop({ end: { kind: "taken", why } });
      throw why;
    } finally {
      asking -= 1;
      onChange();
    }
  };

  const { approveInRun, approve, access, askOperatorInRun = unavailable } = request;
  const channelOfDoubt = access.mayApprove ? (approveInRun ?? approve) : askOperatorInRun;
  const settleDoubt = async (doubt: DoubtfulCall & { id: number }): Promise<ToolReply | undefined> => {
    for (let problem: string | undefined; ;) {
      const decision = await decide(doubt.id, askOfDoubt(doubt, countSent(recorded), problem, viewOf), channelOfDoubt);
      const read = readDoubt(decision, doubt, checkOutput);
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
    async ask(id: number, asked: ApprovalRequest, channel: Approve): Promise<CallDecision> {
      const [tool] = asked.tools;
      const isGranted = decisions.forRun.has(`${tool?.serverId}/${tool?.toolName}`);
      return isGranted ? { verdict: "granted", forRun: true } : decide(id, asked, channel);
    },
    /** Asks whether a call was made. */
    settleDoubt,
    asking: () => asking,
    /** The sandbox is given back: what a person says from now on is for the next stretch. */
    end: () => void (isOver = true),
  };
}

const unavailable = async () => "unavailable" as const;

const STOPPED: ToolReply = {
  ok: false,
  error: { errorClass: "ToolCallError", message: "The run was stopped.", hint: "Ask the user." },
};

/** Whether a question is open already: it was put before the sandbox was given back. */
function isAsked(steps: readonly Step[], call: number, digest: string): boolean {
  const last = steps.findLast((step) => (step.kind === "asked" || step.kind === "decided") && step.call === call);
  return last?.kind === "asked" && last.digest === digest;
}
