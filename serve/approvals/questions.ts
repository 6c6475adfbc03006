import { readApprovalKey, signText } from "../../engine/approval-secret.ts";
import type { AccountQuestions, AskingRuns, DurableRuns } from "../../engine/extras.ts";
import { CodemodeError, unlessCode } from "../../schemas/codemode-error.ts";
import { approvalsNotSetUp } from "../../schemas/config/serve-errors.ts";
import type { ApprovalKey, CallDecision } from "../../schemas/run/approval.ts";
import type { AnswerOutcome, InvalidAnswer, OpenQuestion, SignAnswer } from "../../schemas/run/durable-run.ts";
import { parseQuestionId } from "../../schemas/run/question-id.ts";

// The one list of questions outside of the agent's client.

/** How the person at this account answers. */
export interface PersonsProof {
  /** Of the question that the person was shown; absent where none was, for an answer that is given again. */
  digest: string | undefined;
  /** Asked for where it is needed: a refusal needs none. */
  passphrase: () => Promise<string>;
  way: "terminal" | "page";
}

/**
 * The questions of this account.
 * @param account undefined where this build keeps no runs
 * @param folder of a project: only its questions; without it the questions of all projects
 */
export function makeQuestions(account: Pick<AccountQuestions, "questions" | "answer"> | undefined, folder?: string) {
  const list = async (run?: string): Promise<OpenQuestion[]> =>
    ((await account?.questions(run)) ?? []).filter(({ project }) => folder === undefined || project === folder);
  return {
    list,
    /** The one of that id; by the id of a run all of its questions. */
    find: async (id: string): Promise<OpenQuestion[]> =>
      (await list(parseQuestionId(id)?.run ?? id)).filter((each) => each.id === id || each.run === id),
    /**
     * Answers one.
     * @throws CodemodeError `APPROVALS_NOT_SET_UP` where no passphrase is set
     */
    async answer(
      id: string,
      decision: CallDecision,
      { digest = "", way, passphrase }: PersonsProof,
    ): Promise<AnswerOutcome | InvalidAnswer> {
      const sign: SignAnswer = async (text, verifiesWith) => {
        const key = await readApprovalKey();
        if (key === undefined) throw approvalsNotSetUp();
        if (isOfOtherKey({ verifiesWith }, key)) return { problem: ANSWERED_ELSEWHERE };
        return signText(await passphrase(), text, key);
      };
      const answer = account?.answer(id, { ...decision, by: { way } }, { sign, digest, project: folder });
      return (await answer?.catch(unlessCode("RUN_UNKNOWN"))) ?? "gone";
    },
  };
}

/**
 * The questions that the operator answers through this process, whose word needs no passphrase: of the runs of this process, and of durable runs, wherever
 * they are.
 */
export function makeOperatorQuestions(
  asking: () => Promise<AskingRuns | undefined>,
  durable: Promise<DurableRuns | undefined>,
) {
  /** With a notice where others than these may wait, and cannot be looked at now. */
  const list = async (run?: string): Promise<{ questions: OpenQuestion[]; notice?: string }> => {
    let away: string | undefined;
    const unlessAway = (error: unknown): undefined => {
      if (!(error instanceof CodemodeError)) throw error;
      away = error.code;
    };
    const ofDurable = (await (await durable)?.questions(run).catch(unlessAway)) ?? [];
    const questions = [...((await (await asking())?.questions(run)) ?? []), ...ofDurable];
    return away === undefined
      ? { questions }
      : { questions, notice: `Other questions cannot be looked at now (${away})` };
  };
  return {
    list,
    /**
     * @param digest of the question that was shown
     * @throws CodemodeError `RUN_HELD` where another process has the run, and the store of the runs is not encrypted, `STORE_UNREACHABLE`
     */
    async answer(id: string, decision: CallDecision, digest?: string): Promise<AnswerOutcome | InvalidAnswer> {
      for (const runs of [await asking(), await durable]) {
        const outcome = await runs?.answer(id, decision, { digest }).catch(unlessCode("RUN_UNKNOWN"));
        if (outcome !== undefined && outcome !== "gone") return outcome;
      }
      return "gone";
    },
  };
}

/** All that a person reads about a question: of a call with its arguments whole, of a script with its code. */
export function linesOf({ lines, whole = lines }: Pick<OpenQuestion, "lines" | "whole">): readonly string[] {
  return whole;
}

/** Whether the process that asks verifies answers with another key than this one: it began before the passphrase was set. */
export function isOfOtherKey(
  { verifiesWith }: Pick<OpenQuestion, "verifiesWith">,
  key: ApprovalKey | undefined,
): boolean {
  return verifiesWith !== undefined && verifiesWith !== (key?.publicKey ?? "");
}

/** Of a question whose process began before the passphrase was set. */
export const ANSWERED_ELSEWHERE =
  "Its `codemode serve` began before this passphrase was set, and takes no answer from here: answer on its dashboard (`/approvals`), or start it again";
