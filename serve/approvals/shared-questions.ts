import type { CallDecision } from "../../schemas/run/approval.ts";
import type { AnswerOutcome, Misfit } from "../../schemas/run/durable-run.ts";
import type { WaitingConsent } from "./consent-files.ts";

/** What runs ask the operator, on any replica. */
export interface SharedQuestions {
  /**
   * Shows the others a question of this process.
   * @param answer takes answers to questions of this process from other replicas
   * @returns ends that, with the operator's answer as `printDecision` prints it, if that has ended it
   */
  show(consent: WaitingConsent, answer: TakeAnswer): (given?: string) => void;
  /** The questions of the other replicas. Without the key each says where it is answered, and nothing else. @throws CodemodeError `STORE_UNREACHABLE` */
  list(): Promise<WaitingConsent[]>;
  /** Answers one of another replica. @throws CodemodeError `STORE_UNREACHABLE` */
  answer(id: string, decision: CallDecision): Promise<AnswerElsewhere>;
}

/** Answers a question of this process, or says why this is no answer to it. */
export type TakeAnswer = (id: string, decision: CallDecision) => AnswerHere;

/** What became of an answer that was given in this process. */
export type AnswerHere = Exclude<AnswerOutcome, "wrong"> | Misfit;

/** `held`: it has to be answered through its own replica, because the key is missing. `unheard`: its replica did not take the answer in time. */
export type AnswerElsewhere = AnswerHere | "held" | "unheard";
