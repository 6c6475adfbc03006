import { clock } from "../../engine/clock.ts";
import type { ApproveInRun } from "../../runtime/sandbox/pool/handle-call.ts";
import type { ApprovalRequest, CallDecision } from "../../schemas/run/approval.ts";
import type { StepOf } from "../../schemas/run/durable-run.ts";
import { printQuestionId } from "../../schemas/run/question-id.ts";
import { type OwnedRun, RunTaken } from "./kept-runs.ts";

/** The questions of one run to a person. They stay open while the sandbox is given back, until a person answers. */
export interface RunQuestions {
  /**
   * Resolves to what a person decides about a call, which may be days later. It is kept with the run by then.
   * @param kept resolves when the question is in the log: then the channel gets it. It can be answered before, by a person who reads it there
   */
  ask(
    place: QuestionPlace,
    request: ApprovalRequest,
    channel: ApproveInRun,
    kept?: Promise<void>,
  ): Promise<CallDecision>;
  /** The script has got the decision. */
  close(place: QuestionPlace): void;
  /** Resolves when there is a decision that the script has not got yet. */
  answered(): Promise<void>;
  /**
   * Answers an open question that no channel answers, and keeps that; false where it was answered before, or is not open. One of a call is open in the
   * log: where the script has not come to it again, it finds the answer there.
   */
  decide(question: { call?: number; digest: string; number?: number }, decision: CallDecision): Promise<boolean>;
  /** How decisions are kept from now on, also while the run has no sandbox: what a person has said survives the end of this process. */
  keepBy(keep: OwnedRun["append"]): void;
  open(): readonly ApprovalRequest[];
}

/** Of a question: the number of the call, what is asked about it, and how often that was asked before. */
export interface QuestionPlace {
  call: number;
  digest: string;
  round: number;
}

/** Where this process has no way to ask: what was decided before is in the log. */
export const unavailable = async () => "unavailable" as const;

/** Puts questions that are in the log of their run to a channel with their ids. */
export function withIds(channel: ApproveInRun, run: string, numberOf: () => number | undefined): ApproveInRun {
  return (request, ...more) => {
    const number = numberOf();
    return channel(number === undefined ? request : { ...request, id: printQuestionId({ run, number }) }, ...more);
  };
}

interface Waiting {
  call: number;
  request: ApprovalRequest;
  decision: Promise<CallDecision>;
  /** Resolves when the decision is kept. */
  settle: (decision: CallDecision) => Promise<void>;
  /** Aborted when it is answered. */
  answered: AbortController;
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

  const open = ({ call, digest }: QuestionPlace, request: ApprovalRequest, channel: ApproveInRun): Waiting => {
    let resolve: (decision: CallDecision) => void = () => undefined;
    let reject: (error: unknown) => void = () => undefined;
    const decision = new Promise<CallDecision>((...both) => ([resolve, reject] = both));
    // Between two attempts nothing waits for it; the next one does.
    decision.catch(() => undefined);
    const question: Waiting = {
      ...{ call, request, decision, answered: new AbortController(), isOpen: true, isKept: false },
      async settle(decided) {
        if (!question.isOpen) return;
        question.isOpen = false;
        question.answered.abort();
        const step: StepOf<"decided"> = { kind: "decided", call, digest, decision: decided };
        try {
          await keep([step], true);
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
    ask(place, request, channel, kept) {
      const known = questions.get(nameOf(place));
      // A process that has its run again keeps what was said meanwhile, and asks no one twice.
      const said = known?.lost?.said ?? early.given.get(subjectOf(place));
      const isAsked = known !== undefined && known.lost === undefined;
      const put: ApproveInRun = async (...given) => {
        await kept;
        return said ?? channel(...given);
      };
      const asked = isAsked ? known : open(place, request, put);
      questions.set(nameOf(place), asked);
      return asked.decision;
    },
    close(place) {
      questions.delete(nameOf(place));
      early.given.delete(subjectOf(place));
    },
    async answered() {
      while ([...questions.values()].every(({ isKept }) => !isKept)) await next;
    },
    async decide({ call, digest }, decision) {
      const isMeant = (each: Waiting): boolean =>
        each.lost === undefined && each.request.digest === digest && (call === undefined || each.call === call);
      const known = [...questions.values()].filter(isMeant);
      const found = known.find(({ isOpen }) => isOpen);
      if (found === undefined)
        return known.length === 0 && call !== undefined && early.decide({ call, digest }, decision);
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
  const given = new Map<string, CallDecision>();
  return {
    given,
    async decide(question: Omit<QuestionPlace, "round">, decision: CallDecision): Promise<boolean> {
      const subject = subjectOf(question);
      if (given.has(subject)) return false;
      given.set(subject, decision);
      try {
        await keep([{ kind: "decided", ...question, decision }], true);
        return true;
      } catch (error) {
        given.delete(subject);
        return unlessTaken(error);
      }
    },
  };
}

function nameOf(place: QuestionPlace): string {
  return `${subjectOf(place)} ${place.round}`;
}

function subjectOf({ call, digest }: Omit<QuestionPlace, "round">): string {
  return `${call} ${digest}`;
}

/** Another process has the run: the question is open there. */
function unlessTaken(error: unknown): false {
  if (!(error instanceof RunTaken)) throw error;
  return false;
}

/** A question that comes back at once cannot be shown: it waits for another way. */
const SHOWN_MS = 1000;

/** Puts a question to a channel, and again where it comes back without an answer after a while. */
async function putAgain(request: ApprovalRequest, channel: ApproveInRun, question: Waiting): Promise<void> {
  while (question.isOpen) {
    const askedAt = clock.now();
    const decision = await channel(request, question.answered.signal).catch(() => "unavailable" as const);
    // What cannot be kept is the error of the call that waits for it.
    const settle = (decided: CallDecision): Promise<void> => question.settle(decided).catch(() => undefined);
    if (typeof decision === "object") return settle(decision);
    if (decision === "granted" || decision === "refused") return settle({ verdict: decision });
    if (clock.now() - askedAt < SHOWN_MS) return;
  }
}
