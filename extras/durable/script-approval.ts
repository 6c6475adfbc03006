import type { ApprovalRequest, Approve, CallDecision } from "../../schemas/run/approval.ts";
import type { Audience } from "../../schemas/audience.ts";
import { listSome } from "../../schemas/list-some.ts";
import { describeMissingApproval } from "../../runtime/host/checks/describe-missing-approval.ts";
import { failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import { foldRun } from "../../schemas/run/fold-run.ts";
import { askOfScript } from "./asked-step.ts";
import type { QuestionPlace, RunQuestions } from "./questions.ts";
import { type OwnedRun, RunTaken } from "./kept-runs.ts";
import type { AttemptEnd } from "./steps.ts";

/**
 * What a person says about a script as a whole: once, before it runs. Where no one can be asked at once, the run begins, its question waits in its log, and
 * nothing is held meanwhile.
 */
export function makeScriptApproval({
  questions,
  owned,
  begin,
}: {
  questions: RunQuestions;
  owned: () => OwnedRun | undefined;
  /** Keeps the run, so that its question has a log to wait in; undefined where it may not wait. */
  begin: () => Promise<OwnedRun | undefined>;
}) {
  let given: string | undefined;
  let isRefused = false;
  let isWaiting = false;
  let failed: { why: unknown } | undefined;

  /** @returns whether the question is in the log of the run */
  const waitInLog = async (request: ApprovalRequest, channel: Approve): Promise<boolean> => {
    const step = askOfScript(request);
    const run = step && (owned() ?? (await begin()));
    if (step === undefined || run === undefined) return false;
    run.assertOwned();
    const { open } = foldRun(run.steps).asked.get("script") ?? {};
    const kept = open?.digest === step.digest ? undefined : run.append([step], true);
    const numberOf = (): number | undefined => foldRun(run.steps).asked.get("script")?.open?.number;
    void questions.ask(placeOf(request), request, channel, { run: run.run.id, numberOf, kept });
    await kept;
    return true;
  };
  return {
    /** The digest of the question that was answered before the run was kept. */
    given: () => given,
    /** What asks about the script, and while its question waits in the log asks again as in a run. */
    wrap:
      (approve: Approve): Approve =>
      async (request, inRun) => {
        if (request.script === undefined) return approve(request, inRun);
        const run = owned();
        const decided = run && decisionOf(run, request);
        if (decided !== undefined) {
          questions.close(placeOf(request));
          isRefused = decided.verdict === "refused";
          return decided;
        }
        const verdict = run === undefined ? await approve(request) : "unavailable";
        if (verdict === "granted" || (typeof verdict === "object" && verdict.verdict === "granted"))
          given = request.digest;
        if (verdict !== "unavailable" && verdict !== "reserved" && verdict !== "waiting") return verdict;
        try {
          isWaiting = await waitInLog(request, approve);
        } catch (why) {
          failed = { why };
        }
        return isWaiting ? "waiting" : verdict;
      },
    /** The end of a run whose script a person has refused: that holds also where the policy does not ask any more. */
    refused(audience: Audience | undefined): RunAnswer | undefined {
      const { asked, questions: all, hasBegun } = foldRun(owned()?.steps ?? []);
      const decided = asked.get("script")?.decided.at(-1);
      if (hasBegun || decided?.decision.verdict !== "refused") return undefined;
      isRefused = true;
      const question = all[decided.number - 1];
      const tools = question?.about === "script" ? question.tools : [];
      return failedAnswer([describeMissingApproval({ kind: "script", tools: listSome(tools) }, "refused", audience)]);
    },
    /** How an attempt has ended in which the script was asked about. */
    endOf(end: AttemptEnd): AttemptEnd {
      const [wasWaiting, lost] = [isWaiting, failed];
      [isWaiting, failed] = [false, undefined];
      if (lost?.why instanceof RunTaken && owned() !== undefined) return { kind: "taken", why: lost.why };
      if (lost !== undefined) throw lost.why;
      if (isRefused && end.kind === "blocked") return { ...end, kind: "ended", ending: "cancelled" };
      return wasWaiting ? { kind: "suspended", restMs: undefined } : end;
    },
  };
}

/** What a person has decided about this script and these tools. */
function decisionOf({ run, steps }: OwnedRun, { digest }: ApprovalRequest): CallDecision | undefined {
  if (run.approved === digest) return { verdict: "granted" };
  const { decided = [] } = foldRun(steps).asked.get("script") ?? {};
  return decided.findLast((step) => step.digest === digest)?.decision;
}

function placeOf({ digest }: ApprovalRequest): QuestionPlace {
  return { call: undefined, digest, round: 0 };
}
