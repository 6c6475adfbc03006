import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { CallListener, ServerLog } from "@codemode/runtime/connections/call-listener";
import type { JsonObject } from "../../../schemas/json/json.ts";
import {
  type PersonsReply,
  type QuestionOutcome,
  type ServerQuestion,
  cleanAnswer,
} from "../../../schemas/run/question.ts";
import { makeTurns } from "../../../schemas/turns.ts";
import type { AskPerson, Run } from "../run.ts";
import { parseQuestion } from "./parse-question.ts";

/** Hears one call. */
export interface ListenedCall extends CallListener {
  /** Why a question of this call was not answered, in words for the script; undefined where all were. */
  unanswered(): string | undefined;
}

/** Makes what watches the calls of one run. */
export type ListenToCall = (serverId: string, onLog?: (message: ServerLog) => void) => ListenedCall;

/** More is no dialogue any more. */
const MAX_QUESTIONS = 20;
/** How long a person may take. */
const MAX_WAIT_MS = 600_000;

/** The questions of one run are put one at a time, however many of its calls ask. */
export function makeRunQuestions({ request, hold }: Pick<Run, "request" | "hold">): ListenToCall {
  const { ask: askClient, askOutside, access, emit } = request;
  let count = 0;
  const inTurn = makeTurns();

  const put = async (question: ServerQuestion, signal: AbortSignal): Promise<[QuestionOutcome, JsonObject?]> => {
    if (askClient === undefined) return ["unavailable"];
    const ask = access.mayApprove ? askClient : askOutside;
    if (ask === undefined) return ["reserved"];
    if (signal.aborted) return ["late"];
    const resume = hold();
    const wanted = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
    const reply = await askUntil(ask, question, wanted).finally(resume);
    if (signal.aborted) return ["late"];
    if (reply.action !== "accept") return [OUTCOMES[reply.action]];
    if (question.mode === "url") return ["accepted"];
    const content = cleanAnswer(reply.content ?? {}, question.fields);
    return content === undefined ? ["unfit"] : ["accepted", content];
  };

  return (serverId, onLog) => {
    let unanswered: string | undefined;
    return {
      person: askClient,
      log: onLog,
      async elicit(params, signal) {
        count += 1;
        const isTooMuch = count > MAX_QUESTIONS;
        const parsed = parseQuestion(params, serverId);
        const [outcome, content]: [QuestionOutcome, JsonObject?] = isTooMuch
          ? ["limit"]
          : parsed.ok
            ? await inTurn(() => put(parsed.question, signal))
            : ["malformed"];
        const mode = params["mode"] === "url" ? "url" : "form";
        emit?.({ type: "question-ended", serverId, mode, outcome });
        if (outcome === "accepted") return { action: "accept", ...withoutUndefined({ content }) };
        unanswered = describeOutcome(outcome, serverId, parsed.ok ? undefined : parsed.problem);
        return { action: outcome === "closed" ? "cancel" : "decline" };
      },
      unanswered: () => unanswered,
    };
  };
}

const OUTCOMES = { decline: "declined", cancel: "closed", unavailable: "unavailable" } as const;

/** A person who does not answer in time has closed the question; one that cannot be asked is not there. */
async function askUntil(ask: AskPerson, question: ServerQuestion, signal: AbortSignal): Promise<PersonsReply> {
  const late = new Promise<PersonsReply>((resolve) => {
    const close = (): void => resolve({ action: "cancel" });
    if (signal.aborted) close();
    else signal.addEventListener("abort", close, { once: true });
  });
  const asking = ask(question, signal).catch((): PersonsReply => ({ action: "unavailable" }));
  return Promise.race([asking, late]);
}

/** Why a question was not answered, as the hint of the error that the script gets. */
function describeOutcome(
  outcome: Exclude<QuestionOutcome, "accepted">,
  serverId: string,
  problem: string | undefined,
): string {
  const asked = `"${serverId}" asked a person something in this call`;
  switch (outcome) {
    case "declined":
      return `${asked}, who declined. Do not call it again for the same.`;
    case "closed":
      return `${asked}, who gave no answer. Ask the user before you call it again.`;
    case "unavailable":
      return `${asked}, and there was no one to ask. Tell the user, or do without it.`;
    case "reserved":
      return `${asked}, and the operator lets no person answer through this client. Tell the user, or do without it.`;
    case "limit":
      return `${asked}, more often than a run allows. Call it in a run of its own.`;
    case "late":
      return `${asked}, and the call had ended. Run it again.`;
    case "malformed":
      return `${asked}, which was declined: ${problem ?? "it cannot be shown"}.`;
    case "unfit":
      return `${asked}, and the answer did not fit the form. Run it again.`;
  }
}
