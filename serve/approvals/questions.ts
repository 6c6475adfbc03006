import { readApprovalKey, signText } from "../../engine/approval-secret.ts";
import type { AccountQuestions, DurableRuns } from "../../engine/extras.ts";
import { CodemodeError, unlessCode } from "../../schemas/codemode-error.ts";
import { approvalsNotSetUp } from "../../schemas/config/serve-errors.ts";
import type { CallDecision } from "../../schemas/run/approval.ts";
import { parseQuestionId } from "../../schemas/run/question-id.ts";
import { findInvalidAnswer } from "../../schemas/run/call-question.ts";
import type { AnswerOutcome, InvalidAnswer, OpenQuestion } from "../../schemas/run/durable-run.ts";
import type { ApprovalQueue } from "./approval-queue.ts";
import {
  decideApproval,
  digestApproval,
  type FileWay,
  findApproval,
  isOfOtherKey,
  listApprovals,
  openApprovalFolder,
  refuseApproval,
  type WaitingApproval,
} from "./approval-files.ts";

// The one list of questions outside of the agent's client: files have the questions of runs of `serve`, logs the questions of durable runs.

/** A question to a person. One of a durable run waits for as long as that takes: it has no `until`. */
export type Question = Omit<WaitingApproval, "until"> &
  Partial<Pick<WaitingApproval, "until">> & {
    /** Over all that is shown of it: an answer that names it counts for no other question. */
    digest: string;
  };

/** How the person at this account answers. */
export interface PersonsProof {
  /** Of the question that the person was shown; absent where none was, for an answer that is given again. */
  digest: string | undefined;
  /** Asked for where it is needed: a refusal needs none. */
  passphrase: () => Promise<string>;
  way: FileWay;
}

/**
 * The questions of this account.
 * @param durable of durable runs; undefined where there are none
 * @param folder of a project: only its questions; without it the questions of all projects
 */
export function makeQuestions(durable: Pick<AccountQuestions, "list" | "answer"> | undefined, folder?: string) {
  const isMeant = ({ project }: WaitingApproval): boolean => folder === undefined || project === folder;
  const list = async (): Promise<Question[]> => [
    ...(await listApprovals(await openApprovalFolder())).filter(isMeant).map(withDigest),
    ...((await durable?.list()) ?? []).map(toQuestion),
  ];
  const answerApproval = async (
    approval: WaitingApproval,
    decision: CallDecision,
    { digest, passphrase, way }: PersonsProof,
  ): Promise<AnswerOutcome | InvalidAnswer> => {
    if (digest !== digestApproval(approval)) return "stale";
    const place = await openApprovalFolder();
    const problem = findInvalidAnswer(decision, approval.kind);
    if (problem !== undefined) return { problem };
    if (decision.verdict === "refused") return refuseApproval(place, approval, decision.reason, way);
    const key = await needKey();
    if (isOfOtherKey(approval, key)) return { problem: ANSWERED_ELSEWHERE };
    return decideApproval(place, approval, decision, await passphrase(), key, way);
  };
  return {
    list,
    /** One, also where it has an answer that its run has not read yet; by the id of a run all of its questions. */
    async find(id: string): Promise<Question[]> {
      const approval = await findApproval(await openApprovalFolder(), id);
      if (approval !== undefined) return isMeant(approval) ? [withDigest(approval)] : [];
      return (await list()).filter((each) => each.id === id || parseQuestionId(each.id)?.run === id);
    },
    /**
     * Answers one.
     * @throws CodemodeError `APPROVALS_NOT_SET_UP` where no passphrase is set
     */
    async answer(id: string, decision: CallDecision, proof: PersonsProof): Promise<AnswerOutcome | InvalidAnswer> {
      const approval = await findApproval(await openApprovalFolder(), id);
      if (approval !== undefined) return isMeant(approval) ? answerApproval(approval, decision, proof) : "gone";
      const sign = async (text: string): Promise<string | undefined> => {
        const key = await needKey();
        return signText(await proof.passphrase(), text, key);
      };
      const { way, digest = "" } = proof;
      const answer = durable?.answer(id, { ...decision, by: { way } }, { sign, digest });
      return (await answer?.catch(unlessCode("RUN_UNKNOWN"))) ?? "gone";
    },
  };
}

/**
 * The questions that the operator answers through this process, whose word needs no passphrase: what runs wait for here and on other replicas, and the questions
 * of durable runs, wherever they are.
 */
export function makeOperatorQuestions(
  approvalQueue: ApprovalQueue | undefined,
  durable: Promise<DurableRuns | undefined>,
) {
  /** With a notice where others than these may wait, and cannot be looked at now. */
  const list = async (): Promise<{ questions: Question[]; notice?: string }> => {
    let away: string | undefined;
    const unlessAway = (error: unknown): undefined => {
      if (!(error instanceof CodemodeError)) throw error;
      away = error.code;
    };
    const asked = (await (await durable)?.questions().catch(unlessAway)) ?? [];
    const questions = [...(approvalQueue?.list() ?? []).map(withDigest), ...asked.map(toQuestion)];
    if (away === undefined) return { questions };
    return { questions, notice: `Other questions cannot be looked at now (${away})` };
  };
  return {
    list,
    /**
     * @param digest of the question that was shown
     * @throws CodemodeError `RUN_HELD` where another process has the run, and the store of the runs is not encrypted, `STORE_UNREACHABLE`
     */
    async answer(id: string, decision: CallDecision, digest?: string): Promise<AnswerOutcome | InvalidAnswer> {
      const now = digest === undefined ? undefined : (await list()).questions.find((each) => each.id === id);
      if (now !== undefined && now.digest !== digest) return "stale";
      const here = approvalQueue?.answer(id, decision) ?? "gone";
      if (here !== "gone") return here;
      return (await (await durable)?.answer(id, decision, { digest }).catch(unlessCode("RUN_UNKNOWN"))) ?? "gone";
    },
  };
}

/** Of a question whose process began before the passphrase was set. */
export const ANSWERED_ELSEWHERE =
  "Its `codemode serve` began before this passphrase was set, and takes no answer from here: answer on its dashboard (`/approvals`), or start it again";

async function needKey() {
  const key = await readApprovalKey();
  if (key === undefined) throw approvalsNotSetUp();
  return key;
}

/** A question of a durable run as one of the list. */
function toQuestion({ id, digest, project = "", client, kind, tools, lines, whole = lines }: OpenQuestion): Question {
  const shown = kind === "call" ? { whole } : { script: whole.slice(lines.length) };
  return { id, digest, kind, project, client, tools: lines, names: tools, ...shown };
}

function withDigest<Approval extends WaitingApproval>(approval: Approval): Approval & { digest: string } {
  return { ...approval, digest: digestApproval(approval) };
}
