import { clock } from "../../engine/clock.ts";
import type { ApproveInRun } from "../../engine/open-host.ts";
import { whenAborted } from "../../engine/when-aborted.ts";
import type { ApprovalRequest, ApprovalVerdict, Approve, CallDecision } from "../../schemas/run/approval.ts";
import { askAboutCall } from "../../schemas/run/call-question.ts";
import { makeTurns } from "../../schemas/turns.ts";
import type { RunInside } from "../long-runs/runs.ts";
import { makeApprovalQuestion, toVerdict } from "./approval-form.ts";
import { APPROVAL_SECONDS } from "./approval-states.ts";
import { canShowForms } from "./ask-person.ts";
import type { Caller } from "./caller.ts";
import { describeWaiting } from "./request-approval.ts";

/** No person reads a form and closes it in this time: the client cannot show it. */
const SHOWN_MS = 1000;

type FormAnswer = ApprovalVerdict | CallDecision | "unseen";

/**
 * Makes what asks a person while a script runs: in a form of the client, and with `codemode approvals`; the first answer counts. A client that
 * may not give approvals gets no form (`askOperatorInRun`).
 */
export function makeApproveInRun(
  {
    approvalQueue,
    clientName,
    isDurable,
    capabilities,
  }: Pick<Caller, "approvalQueue" | "clientName" | "isDurable" | "capabilities">,
  run: Pick<RunInside, "ask" | "detach" | "resume" | "signal">,
): { approveInRun: ApproveInRun; askOperatorInRun: ApproveInRun } {
  const inTurn = makeTurns();
  let inQueue = 0;
  const askOfCall = async (request: ApprovalRequest, signal: AbortSignal): Promise<FormAnswer> => {
    const askedAt = clock.now();
    const decision = await askAboutCall(request, (asked) => run.ask(asked, signal));
    const isUnseen = decision === "closed" && !signal.aborted && clock.now() - askedAt < SHOWN_MS;
    return isUnseen ? "unseen" : decision;
  };
  const inForm = async (request: ApprovalRequest, signal: AbortSignal): Promise<FormAnswer> => {
    // A question that no request can show would wait for the next one, and end its wait.
    if (!canShowForms(capabilities)) return "unavailable";
    // A form is made when its turn comes: it says how many there are by then.
    if (request.call !== undefined) return inTurn(() => askOfCall(request, signal));
    const question = makeApprovalQuestion(request);
    if (question === undefined) return "unavailable";
    const { action, ...reply } = await run.ask(question, signal);
    if (action === "unavailable") return action;
    const verdict = toVerdict(action, "content" in reply ? reply.content : undefined);
    return verdict === "unanswered" ? "closed" : verdict;
  };
  /** Asks outside of the client. The question of a durable run is in its log by now, and is answered there. */
  const askOutside = async (
    request: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<{ verdict: Promise<ApprovalVerdict | CallDecision> } | undefined> => {
    // A server that has changed is a question for the client alone: its drift waits for `codemode lock` otherwise.
    if (request.call === undefined && request.script === undefined) return undefined;
    return isDurable
      ? { verdict: whenAborted(signal).then(() => "closed" as const) }
      : approvalQueue?.ask(request, clientName, signal);
  };
  const approveIn =
    (isReserved: boolean): ApproveInRun =>
    async (request, elsewhere = run.signal) => {
      const over = new AbortController();
      // A client that never comes back must not keep a sandbox.
      const stopTime = clock.after(APPROVAL_SECONDS * 1000, () => over.abort(), { ref: false });
      const signal = AbortSignal.any([run.signal, over.signal, elsewhere]);
      const asked = await askOutside(request, signal);
      const first = async (): ReturnType<Approve> => {
        const decision = isReserved ? "reserved" : await inForm(request, signal);
        if (asked === undefined) return decision === "unseen" ? "closed" : decision;
        if (decision !== "unavailable" && decision !== "reserved" && decision !== "unseen") return decision;
        run.detach([describeWaiting(request, isReserved, isDurable)]);
        inQueue += 1;
        return asked.verdict.finally(() => {
          inQueue -= 1;
          // The others wait still.
          if (inQueue === 0) run.resume();
        });
      };
      try {
        return await (asked === undefined ? first() : Promise.race([first(), asked.verdict]));
      } finally {
        stopTime();
        over.abort();
      }
    };
  return { approveInRun: approveIn(false), askOperatorInRun: approveIn(true) };
}
