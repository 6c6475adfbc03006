import { clock } from "../../engine/clock.ts";
import type { ApprovalRequest, Approve, CallDecision } from "../../schemas/run/approval.ts";
import { printQuestionId } from "../../schemas/run/question-id.ts";
import { toDecided } from "./asked-step.ts";
import { type OwnedRun, RunTaken } from "./kept-runs.ts";

/** The questions of one run to a person. They stay open while the sandbox is given back, until a person answers. */
export interface RunQuestions {
  /**
   * Resolves to what a person decides, which may be days later. It is kept with the run by then.
   * @param channel gets the question with its id, when it is in the log: a person who reads it there can answer it before
   */
  ask(place: QuestionPlace, request: ApprovalRequest, channel: Approve, logged: LoggedQuestion): Promise<CallDecision>;
  /** The script has got the decision. */
  close(place: QuestionPlace): void;
  /** Resolves when there is a decision that the script has not got yet. */
  answered(): Promise<void>;
  /**
   * Answers an open question that no channel answers, and keeps that; false where it was answered before, or is not open. One with a number is open in the
   * log: where the script has not come to it again, it finds the answer there.
   */
  decide(question: { digest: string; number?: number }, decision: CallDecision): Promise<boolean>;
  /** How decisions are kept from now on, also while the run has no sandbox: what a person has said survives the end of this process. */
  keepBy(keep: OwnedRun["append"]): void;
  open(): readonly ApprovalRequest[];
}

/** Of a question: the number of the call, what is asked about it, and how often that was asked before. Without a call it is about the script. */
export interface QuestionPlace {
  call: number | undefined;
  digest: string;
  round: number;
}

/** A question in the log of its run. */
export interface LoggedQuestion {
  run: string;
  /** Its number; undefined before it is there. */
  numberOf: () => number | undefined;
  /** Resolves when it is there; absent where it was before. */
  kept?: Promise<void> | undefined;
}

/** Where this process has no way to ask: what was decided before is in the log. */
export const unavailable = async () => "unavailable" as const;

interface Waiting {
  request: ApprovalRequest;
  numberOf: LoggedQuestion["numberOf"];
  /** Known when it is answered: then it is open no more. */
  number?: number | undefined;
  decision: Promise<CallDecision>;
  /** Resolves when the decision is kept. */
  settle: (decision: CallDecision) => Promise<void>;
  isOpen: boolean;
  isKept: boolean;
  /** Its answer came while this process had lost the run: what a person has said, unless who gave it knows that it did not count. */
  lost?: { said?: CallDecision };
}

export function makeOpenQuestions(): RunQuestions {
  const questions = new Map<string, Waiting>();
  let wake: () => void = () => undefined;
  let next = new Promise<void>((resolve) => (wake = resolve));
  let keep: OwnedRun["append"] = () => Promise.reject(new RunTaken());
  const early = makeEarlyAnswers((...added) => keep(...added));

  const open = (request: ApprovalRequest, channel: Approve, { numberOf, kept }: LoggedQuestion): Waiting => {
    let resolve: (decision: CallDecision) => void = () => undefined;
    let reject: (error: unknown) => void = () => undefined;
    const decision = new Promise<CallDecision>((...both) => ([resolve, reject] = both));
    // Between two attempts nothing waits for it; the next one does.
    decision.catch(() => undefined);
    const question: Waiting = {
      ...{ request, numberOf, decision, isOpen: true, isKept: false },
      async settle(decided) {
        if (!question.isOpen) return;
        question.isOpen = false;
        try {
          await kept;
          question.number = numberOf();
          // One that is not open in the log has its answer there.
          if (question.number !== undefined) await keep([toDecided(question.number, request.digest, decided)], true);
          resolve(decided);
        } catch (error) {
          if (error instanceof RunTaken) question.lost = { said: decided };
          reject(error);
          throw error;
        } finally {
          question.isKept = true;
          wake();
          next = new Promise<void>((woken) => (wake = woken));
        }
      },
    };
    void putAgain(request, channel, question);
    return question;
  };
  return {
    ask(place, request, channel, logged) {
      const { run, numberOf, kept } = logged;
      const known = questions.get(nameOf(place));
      // A process that has its run again keeps what was said meanwhile, and asks no one twice.
      const said = known?.lost?.said ?? (kept === undefined ? early.given.get(numberOf()) : undefined);
      const isAsked = known !== undefined && known.lost === undefined;
      const put: Approve = async (asked, inRun) => {
        await kept;
        const number = numberOf();
        return (
          said ?? channel(number === undefined ? asked : { ...asked, id: printQuestionId({ run, number }) }, inRun)
        );
      };
      const asked = isAsked ? known : open(request, put, logged);
      questions.set(nameOf(place), asked);
      return asked.decision;
    },
    close: (place) => void questions.delete(nameOf(place)),
    async answered() {
      while ([...questions.values()].every(({ isKept }) => !isKept)) await next;
    },
    async decide({ number, digest }, decision) {
      const isMeant = ({ lost, request, numberOf, number: own = numberOf() }: Waiting): boolean =>
        lost === undefined && request.digest === digest && (number === undefined || own === number);
      const known = [...questions.values()].filter(isMeant);
      const found = known.find(({ isOpen }) => isOpen);
      if (found === undefined)
        return known.length === 0 && number !== undefined && early.decide(number, digest, decision);
      return found.settle(decision).then(
        () => true,
        (error: unknown) => {
          found.lost &&= {};
          return unlessTaken(error);
        },
      );
    },
    keepBy: (by) => void (keep = by),
    open: () => [...questions.values()].flatMap(({ isOpen, request }) => (isOpen ? [request] : [])),
  };
}

/** Answers to questions that are in the log, and that the script has not come to again: they are kept at once, and it finds them. */
function makeEarlyAnswers(keep: OwnedRun["append"]) {
  const given = new Map<number | undefined, CallDecision>();
  return {
    /** By the numbers of the questions. */
    given,
    async decide(number: number, digest: string, decision: CallDecision): Promise<boolean> {
      if (given.has(number)) return false;
      given.set(number, decision);
      try {
        await keep([toDecided(number, digest, decision)], true);
        return true;
      } catch (error) {
        given.delete(number);
        return unlessTaken(error);
      }
    },
  };
}

function nameOf({ call, digest, round }: QuestionPlace): string {
  return JSON.stringify([call, digest, round]);
}

/** Another process has the run: the question is open there. */
function unlessTaken(error: unknown): false {
  if (!(error instanceof RunTaken)) throw error;
  return false;
}

/** A question that comes back at once cannot be shown: it waits for another way. */
const SHOWN_MS = 1000;

/** Puts a question to a channel, and again where it comes back without an answer after a while. */
async function putAgain(request: ApprovalRequest, channel: Approve, question: Waiting): Promise<void> {
  while (question.isOpen) {
    const askedAt = clock.now();
    const decision = await channel(request, { answered: question.decision }).catch(() => "unavailable" as const);
    // What cannot be kept is the error of the call that waits for it.
    const settle = (decided: CallDecision): Promise<void> => question.settle(decided).catch(() => undefined);
    if (typeof decision === "object") return settle(decision);
    if (decision === "granted" || decision === "refused") return settle({ verdict: decision });
    if (clock.now() - askedAt < SHOWN_MS) return;
  }
}
