import type { ApprovalRequest, Approve, CallDecision } from "../../schemas/run/approval.ts";
import type { Step, StepOf } from "../../schemas/run/durable-run.ts";

/** The questions of one run to a person. They stay open while the sandbox is given back, until a person answers. */
export interface RunQuestions {
  /**
   * Resolves to what a person decides about a call, which may be days later.
   * @param place of the question: the number of the call, and of the question about it
   */
  ask(place: string, request: ApprovalRequest, channel: Approve): Promise<CallDecision>;
  /** The decision is kept with the run: the question is over. */
  close(place: string): void;
  /** Resolves when there is a decision that is not kept yet. */
  answered(): Promise<void>;
  /** Answers an open question that no channel answers; false where it is not open. */
  decide(digest: string, decision: CallDecision): boolean;
  open(): readonly ApprovalRequest[];
}

interface Question {
  request: ApprovalRequest;
  decision: Promise<CallDecision>;
  settle: (decision: CallDecision) => void;
  isOpen: boolean;
}

export function makeRunQuestions(): RunQuestions {
  const questions = new Map<string, Question>();
  let wake: () => void = () => undefined;
  let next = new Promise<void>((resolve) => (wake = resolve));

  const put = (request: ApprovalRequest, channel: Approve): Question => {
    let settle: Question["settle"] = () => undefined;
    const decision = new Promise<CallDecision>((resolve) => (settle = resolve));
    const question: Question = {
      ...{ request, decision, isOpen: true },
      settle(decided) {
        if (!question.isOpen) return;
        question.isOpen = false;
        settle(decided);
        wake();
        next = new Promise<void>((resolve) => (wake = resolve));
      },
    };
    void putAgain(request, channel, question);
    return question;
  };
  return {
    ask(place, request, channel) {
      const known = questions.get(place) ?? put(request, channel);
      questions.set(place, known);
      return known.decision;
    },
    close: (place) => void questions.delete(place),
    async answered() {
      while ([...questions.values()].every(({ isOpen }) => isOpen)) await next;
    },
    decide(digest, decision) {
      const found = [...questions.values()].find(({ request, isOpen }) => isOpen && request.digest === digest);
      found?.settle(decision);
      return found !== undefined;
    },
    open: () => [...questions.values()].flatMap(({ isOpen, request }) => (isOpen ? [request] : [])),
  };
}

/** A question that comes back at once cannot be shown: it waits for another way. */
const SHOWN_MS = 1000;

/** Puts a question to a channel, and again where it comes back without an answer after a while. */
async function putAgain(request: ApprovalRequest, channel: Approve, question: Question): Promise<void> {
  while (question.isOpen) {
    const askedAt = performance.now();
    const decision = await channel(request).catch(() => "unavailable" as const);
    if (typeof decision === "object") return question.settle(decision);
    if (decision === "granted" || decision === "refused") return question.settle({ verdict: decision });
    if (performance.now() - askedAt < SHOWN_MS) return;
  }
}

/** The decisions of a recording: those about a question in their order, and the tools that a person has allowed for the whole run. */
export function recordedDecisions(steps: readonly Step[]) {
  const ofQuestions = new Map<string, StepOf<"decided">[]>();
  const forRun = new Set<string>();
  const names = new Map<number, string>();
  for (const step of steps) {
    if (step.kind === "call") names.set(step.call, `${step.serverId}/${step.toolName}`);
    if (step.kind !== "decided") continue;
    const question = questionOf(step);
    ofQuestions.set(question, [...(ofQuestions.get(question) ?? []), step]);
    const { decision } = step;
    if (decision.verdict === "granted" && decision.forRun === true) forRun.add(names.get(step.call) ?? "");
  }
  return { ofQuestions, forRun };
}

/** Names what is asked about a call: exactly this definition of its tool, and this input. */
export function questionOf({ call, digest }: { call: number; digest: string }): string {
  return `${call} ${digest}`;
}
