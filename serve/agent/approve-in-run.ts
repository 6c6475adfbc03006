import type { ApprovalRequest, Approve } from "../../schemas/run/approval.ts";
import { askAboutCall } from "../../schemas/run/call-question.ts";
import { makeTurns } from "../../schemas/turns.ts";
import type { RunInside } from "../long-runs/runs.ts";
import { makeApprovalQuestion, toVerdict } from "./approval-form.ts";
import { APPROVAL_SECONDS } from "./approval-states.ts";
import type { Caller } from "./caller.ts";
import { describeWaiting } from "./seek-consent.ts";

/**
 * Makes what asks a person while a script runs: in a form of the client, and with `codemode approvals`; the first answer counts. A client that
 * may not give approvals gets no form (`askOperatorInRun`).
 */
export function makeApproveInRun(
  { desk, clientName }: Pick<Caller, "desk" | "clientName">,
  run: Pick<RunInside, "ask" | "detach" | "resume" | "signal">,
): { approveInRun: Approve; askOperatorInRun: Approve } {
  const inTurn = makeTurns();
  let atDesk = 0;
  const inForm = async (request: ApprovalRequest, signal: AbortSignal): ReturnType<Approve> => {
    // A form is made when its turn comes: it says how many there are by then.
    if (request.call !== undefined) return inTurn(() => askAboutCall(request, (asked) => run.ask(asked, signal)));
    const question = makeApprovalQuestion(request);
    if (question === undefined) return "unavailable";
    const { action, ...reply } = await run.ask(question, signal);
    if (action === "unavailable") return action;
    const verdict = toVerdict(action, "content" in reply ? reply.content : undefined);
    return verdict === "unanswered" ? "closed" : verdict;
  };
  const approveIn =
    (isReserved: boolean): Approve =>
    async (request) => {
      const answered = new AbortController();
      // A client that never comes back must not keep a sandbox.
      const late = AbortSignal.timeout(APPROVAL_SECONDS * 1000);
      const signal = AbortSignal.any([run.signal, answered.signal, late]);
      // A server that has changed is a question for the client alone: its drift waits for `codemode lock` otherwise.
      const asked = request.call === undefined ? undefined : await desk?.ask(request, clientName, signal);
      const first = async (): ReturnType<Approve> => {
        const decision = isReserved ? "reserved" : await inForm(request, signal);
        if (asked === undefined || (decision !== "unavailable" && decision !== "reserved")) return decision;
        run.detach([describeWaiting(request, isReserved)]);
        atDesk += 1;
        return asked.verdict.finally(() => {
          atDesk -= 1;
          // The others wait still.
          if (atDesk === 0) run.resume();
        });
      };
      try {
        return await (asked === undefined ? first() : Promise.race([first(), asked.verdict]));
      } finally {
        answered.abort();
      }
    };
  return { approveInRun: approveIn(false), askOperatorInRun: approveIn(true) };
}
