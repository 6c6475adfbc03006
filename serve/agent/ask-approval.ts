import { clock } from "../../engine/clock.ts";
import type { AskingRun, Until } from "../../engine/extras.ts";
import type { AskPerson } from "../../engine/open-host.ts";
import { whenAborted } from "../../engine/when-aborted.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { listSome } from "../../schemas/list-some.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type {
  ApprovalRequest,
  ApprovalVerdict,
  Approve,
  CallDecision,
  ToolToApprove,
} from "../../schemas/run/approval.ts";
import { askAboutCall } from "../../schemas/run/call-question.ts";
import type { PersonsReply, ServerQuestion } from "../../schemas/run/question.ts";
import { makeTurns } from "../../schemas/turns.ts";
import type { RunInside } from "../long-runs/runs.ts";
import { askAgain, makeApprovalQuestion, toVerdict } from "./approval-form.ts";
import { APPROVAL_SECONDS, canShowForms } from "./ask-person.ts";
import type { CallingClient } from "./caller.ts";

/** No person reads a form and closes it in this time: the client cannot show it. */
const SHOWN_MS = 1000;

/** A client that ignores the schema sends a form without its choice each time. */
const MOST_FORMS = 3;

/** What a run asks with: people about its scripts and calls, and what servers ask people. */
interface Askers {
  approve: Approve;
  /** The same for a client that may not answer. */
  askOperator: Approve;
  /** Puts a question of a server to a person, in the client and outside of it. */
  ask: AskPerson;
  /** The same for a client that may not answer. */
  askOutside?: AskPerson;
}

/** Who is asked, and where. */
interface Asking extends Pick<CallingClient, "isDurable" | "capabilities"> {
  run: Pick<RunInside, "ask" | "detach" | "resume" | "signal">;
  /** Where a person at this account finds its questions; absent where there is no such way. */
  outside: AskingRun | undefined;
}

/**
 * Makes what asks a person for a run: in a form of the client, and at a terminal, a page or a dashboard; the first answer counts. A client that may not
 * give approvals gets no form (`askOperator`). Before its script runs, a durable run waits in its log.
 */
export function makeAskers(asking: Asking): Askers {
  const { isDurable, run, outside } = asking;
  const inForm = makeFormChannel(asking);
  const askBoth = makeFirstAnswer(run);
  const approveIn =
    (isReserved: boolean): Approve =>
    async (request, inRun) => {
      const isInRun = inRun !== undefined;
      if (!isInRun && isDurable && request.script !== undefined) return "waiting";
      const over = new AbortController();
      const end = (): void => over.abort();
      void inRun?.answered?.then(end, end);
      // A client that never comes back must not keep a sandbox.
      const stopTime = clock.after(APPROVAL_SECONDS * 1000, end, { ref: false });
      const places: Places<ApprovalVerdict | CallDecision> = {
        outside: async (signal) => putOutside(request, asking, signal),
        async inClient(signal, id) {
          const asked = { ...request, ...withoutUndefined({ id }) };
          const decision = isReserved ? "reserved" : await inForm(asked, signal, isInRun);
          const isOpen = decision === "unavailable" || decision === "reserved" || decision === "unseen";
          return { answer: decision === "unseen" ? "closed" : decision, isOpen };
        },
        describe: () => describeWaiting(request, isReserved, isDurable),
      };
      return askBoth(places, AbortSignal.any([run.signal, over.signal])).finally(stopTime);
    };
  const askIn =
    (isReserved: boolean): AskPerson =>
    async (question, ended) => {
      const places: Places<PersonsReply> = {
        outside: async (signal) => outside?.askForServer(question, untilTimeOut(signal)),
        async inClient(signal, id) {
          const isTooSoon = timeForm(signal);
          const answer: PersonsReply = isReserved ? UNAVAILABLE : await run.ask(question, signal, id);
          return { answer, isOpen: answer.action === "unavailable" || (answer.action === "cancel" && isTooSoon()) };
        },
        describe: () => describeWaitingServer(question),
      };
      return askBoth(places, ended);
    };
  return {
    approve: approveIn(false),
    askOperator: approveIn(true),
    ask: askIn(false),
    ...withoutUndefined({ askOutside: outside && askIn(true) }),
  };
}

/** The two places of one question. */
interface Places<Answer> {
  /** Puts it outside of the client; undefined where there is no place for it. */
  outside(signal: AbortSignal): Promise<Put<Answer> | undefined>;
  /** Asks in the client. `isOpen`: no person has answered there, and one outside may. */
  inClient(signal: AbortSignal, id: string | undefined): Promise<{ answer: Answer; isOpen: boolean }>;
  /** What the request says while the question waits outside alone. */
  describe(): Diagnostic;
}

interface Put<Answer> {
  id?: string;
  verdict: Promise<Answer>;
}

/** Makes what asks in both places of a question, until the first answer or the signal: it takes the question back everywhere. */
function makeFirstAnswer(run: Asking["run"]) {
  let waiting = 0;
  return async <Answer>({ outside, inClient, describe }: Places<Answer>, ended: AbortSignal): Promise<Answer> => {
    const over = new AbortController();
    const signal = AbortSignal.any([ended, over.signal]);
    const put = await outside(signal);
    const first = async (): Promise<Answer> => {
      const { answer, isOpen } = await inClient(signal, put?.id);
      if (put === undefined || !isOpen) return answer;
      run.detach([describe()]);
      waiting += 1;
      return put.verdict.finally(() => {
        waiting -= 1;
        // The others wait still.
        if (waiting === 0) run.resume();
      });
    };
    return (put === undefined ? first() : Promise.race([first(), put.verdict])).finally(() => over.abort());
  };
}

/** Puts a question outside of the client. The question of a durable run is in its log by now, and is answered there. */
async function putOutside(
  request: ApprovalRequest,
  { isDurable, outside }: Asking,
  signal: AbortSignal,
): Promise<Put<ApprovalVerdict | CallDecision> | undefined> {
  // The client alone is asked about a server that has changed, and about a project: for these there are `codemode lock` and `codemode trust`.
  if (request.call === undefined && request.script === undefined) return undefined;
  if (isDurable) return { verdict: whenAborted(signal).then(() => "closed" as const) };
  return outside?.ask(request, untilTimeOut(signal));
}

function untilTimeOut(signal: AbortSignal): Until {
  return { until: clock.wall() + APPROVAL_SECONDS * 1000, signal };
}

/** Times a form that is sent now: whether it closes by itself, too soon for a person to have seen it. */
function timeForm(signal: AbortSignal): () => boolean {
  const askedAt = clock.now();
  return () => !signal.aborted && clock.now() - askedAt < SHOWN_MS;
}

/** Shows questions in forms of the client. */
function makeFormChannel({ run, capabilities }: Asking) {
  const inTurn = makeTurns();
  const ask = async (request: ApprovalRequest, signal: AbortSignal, isInRun: boolean): ReturnType<Approve> => {
    const { id } = request;
    if (request.call !== undefined) return askAboutCall(request, (asked) => run.ask(asked, signal, id));
    const withoutScript = isInRun ? "change" : "call";
    const question = makeApprovalQuestion(request, request.script === undefined ? withoutScript : "script");
    if (question === undefined) return "unavailable";
    for (let times = 1; times <= MOST_FORMS; times += 1) {
      const { action, ...reply } = await run.ask(times === 1 ? question : askAgain(question), signal, id);
      if (action === "unavailable") return action;
      const verdict = toVerdict(action, "content" in reply ? reply.content : undefined);
      if (verdict !== "unanswered") return verdict;
    }
    return "closed";
  };
  return async (
    request: ApprovalRequest,
    signal: AbortSignal,
    isInRun: boolean,
  ): Promise<ApprovalVerdict | CallDecision | "unseen"> => {
    // A question that no request can show would wait for the next one, and end its wait.
    if (!canShowForms(capabilities)) return "unavailable";
    // A form is made when its turn comes: it says how many there are by then.
    return inTurn(async () => {
      const isTooSoon = timeForm(signal);
      const decision = await ask(request, signal, isInRun);
      return decision === "closed" && isTooSoon() ? "unseen" : decision;
    });
  };
}

const UNAVAILABLE = { action: "unavailable" } as const;

function describeWaitingServer({ serverId }: ServerQuestion): Diagnostic {
  return {
    severity: "warning",
    code: "APPROVAL_REQUIRED",
    message: `The server "${serverId}" asks a person something in the middle of a call. The run waits for the answer, for ${APPROVAL_SECONDS / 60} minutes.`,
    hint: "Tell the user that a run waits for an answer, which only a person can give; then call with the runId.",
  };
}

/** Names no command that gives the approval: that is for the person to look up. */
function describeWaiting({ tools, call }: ApprovalRequest, isReserved: boolean, isDurable: boolean): Diagnostic {
  const namesOf = (some: readonly ToolToApprove[]): string =>
    listSome(some.map(({ serverId, toolName }) => `${serverId}/${toolName}`));
  const why = isReserved ? "which this client may not give" : "and no person could be asked";
  const changed = tools.filter(({ change }) => change !== undefined);
  const isNew = changed.length === 0 ? "" : ` New or changed since the lockfile was written: ${namesOf(changed)}.`;
  const time = isDurable ? "as long as that takes" : `for ${APPROVAL_SECONDS / 60} minutes`;
  const needed =
    call === undefined
      ? `This script needs a person's approval to call ${namesOf(tools)}`
      : `Each call of ${namesOf(tools)} needs a person's approval`;
  return {
    severity: "warning",
    code: "APPROVAL_REQUIRED",
    message: `${needed}, ${why}. The run waits for it, ${time}.${isNew}`,
    hint: `Tell the user that a run waits for an approval, which only a person can give; then call with the runId${isDurable ? ", also tomorrow" : ""}.`,
  };
}
