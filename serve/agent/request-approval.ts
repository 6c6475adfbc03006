import { withInput } from "../../schemas/run/call-question.ts";
import type { ElicitRequestFormParams, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { listSome } from "../../schemas/list-some.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { ApprovalRequest, ApprovalVerdict, CallDecision, ToolToApprove } from "../../schemas/run/approval.ts";
import type { RunInside } from "../long-runs/runs.ts";
import type { Caller } from "./caller.ts";
import { askAgain, makeApprovalForm, toVerdict } from "./approval-form.ts";
import { APPROVAL_SECONDS, type ApprovalStates } from "./approval-states.ts";
import { askByResult, askNow, canShowForms, type ReturnedAnswer, wayToAsk } from "./ask-person.ts";

/** A person's answer, and what it is an answer to. */
export interface PersonsAnswer {
  digest: string;
  verdict: ApprovalVerdict | CallDecision;
  /** Whether it came through the client, in a form; otherwise the answer says how it came. */
  isForm: boolean;
}

/** An approval without which a run does not go on. */
export interface OpenApproval {
  request: ApprovalRequest;
  /** The client may not give it. */
  isReserved: boolean;
}

/** The call that needs the approval. */
export interface AskingCall {
  context: ServerContext;
  caller: Caller;
  run: RunInside;
  callDigest: () => string;
  returned: ReturnedAnswer | undefined;
}

/** A client that ignores the schema sends a form without its choice each time. */
const MOST_FORMS = 3;

/** The approval that a request brings back; undefined where it brings none, or one that was used before. */
export async function readApproval(
  returned: ReturnedAnswer | undefined,
  states: ApprovalStates,
): Promise<PersonsAnswer | undefined> {
  if (returned?.given === undefined || returned.state.runId !== undefined) return undefined;
  const { state, given } = returned;
  if (!(await states.spend(state))) return undefined;
  const { digest, forms = 1 } = state;
  const verdict = toVerdict(given.action, given.content);
  if (verdict !== "unanswered") return { digest, verdict, isForm: true };
  // Without a choice there is no answer, and the form comes again.
  return forms < MOST_FORMS ? undefined : { digest, verdict: "closed", isForm: true };
}

/** How a person is asked for the approval: it changes when the request is answered. */
export function wayOfApproval(
  { request, isReserved }: OpenApproval,
  { caller: { capabilities, isModern, isDurable }, run }: Pick<AskingCall, "caller" | "run">,
): ReturnType<typeof wayToAsk> {
  return wayToAsk({
    ...{ canShow: !isReserved && canShowForms(capabilities), isModern, isDetached: run.isDetached() },
    isKept: isDurable && request.script !== undefined,
  });
}

/**
 * Asks a person in a form of the client, and at a terminal (`codemode approvals`); the first answer counts. The result of the request where
 * that is how the client asks; undefined where no person can be asked.
 */
export async function requestApproval(
  open: OpenApproval,
  asking: AskingCall,
): Promise<PersonsAnswer | InputRequiredResult | undefined> {
  const { request, isReserved } = open;
  const { context, caller, run, callDigest, returned } = asking;
  const { digest } = request;
  const way = wayOfApproval(open, asking);
  if (way === "in-log") return { digest, verdict: "waiting", isForm: false };
  const form = way === "outside" ? undefined : makeApprovalForm(request);
  if (form !== undefined && way === "by-result") {
    const before = returned?.state.digest === digest ? (returned.state.forms ?? 1) : 0;
    const state = await caller.approvals.make(digest, callDigest(), { forms: before + 1 });
    const question = await askByResult(context, before === 0 ? form : askAgain(form), caller.codec, state);
    // A request that was answered meanwhile does not come again, and no other one brings its answer.
    return run.isDetached() ? requestApproval(open, asking) : question;
  }
  const answered = new AbortController();
  const signal = AbortSignal.any([run.signal, answered.signal]);
  // A project is trusted with a command of its own.
  const approvalQueue = request.starts === undefined ? caller.approvalQueue : undefined;
  const asked = await approvalQueue?.ask(request, caller.clientName, signal);
  const atTerminal = async (): Promise<PersonsAnswer | undefined> =>
    asked && { digest, verdict: await asked.verdict, isForm: false };
  const inForm = async (): Promise<PersonsAnswer | undefined> => {
    const verdict = form === undefined ? "unavailable" : await run.inTurn(() => askInForm(context, form, signal));
    if (verdict !== "unavailable" || asked === undefined) return form && { digest, verdict, isForm: true };
    run.detach([describeWaiting(request, isReserved)]);
    return atTerminal();
  };
  try {
    return await (asked === undefined ? inForm() : Promise.race([inForm(), atTerminal()]));
  } finally {
    answered.abort();
    run.resume();
  }
}

/** What an answer says to a request; undefined where it answers another one. */
export function answerTo(
  answer: PersonsAnswer | undefined,
  request: ApprovalRequest,
): PersonsAnswer["verdict"] | undefined {
  return answer?.digest === request.digest ? withInput(answer.verdict, request) : undefined;
}

/** Shows the form until it comes back with a choice. */
async function askInForm(
  context: ServerContext,
  form: ElicitRequestFormParams,
  signal: AbortSignal,
): Promise<ApprovalVerdict | CallDecision> {
  for (let times = 1; times <= MOST_FORMS; times += 1) {
    const answer = await askNow(context, times === 1 ? form : askAgain(form), signal);
    const verdict = answer === undefined ? "unavailable" : toVerdict(answer.action, answer.content);
    if (verdict !== "unanswered") return verdict;
  }
  return "closed";
}

/** Names no command that gives the approval: that is for the person to look up. */
export function describeWaiting({ tools, call }: ApprovalRequest, isReserved: boolean, isDurable = false): Diagnostic {
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
