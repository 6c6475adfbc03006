import type { InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { listSome } from "../../schemas/list-some.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { ApprovalRequest, ToolToApprove } from "../../schemas/run/approval.ts";
import type { RunInside } from "../long-runs/runs.ts";
import type { Caller } from "./caller.ts";
import { askAgain, makeApprovalForm } from "./approval-form.ts";
import { APPROVAL_SECONDS } from "./approval-states.ts";
import { askByResult, askNow, canShowForms, countForms, type PersonsAnswer } from "./ask-person.ts";

/** An approval without which a run does not go on. */
export interface OpenConsent {
  request: ApprovalRequest;
  /** The client may not give it. */
  isReserved: boolean;
}

/** The call that needs the consent. */
export interface AskingCall {
  context: ServerContext;
  caller: Caller;
  run: RunInside;
  callDigest: string;
}

/**
 * Asks a person in a form of the client, and at a terminal (`codemode approvals`); the first answer counts. The result of the request where
 * that is how the client asks; undefined where no person can be asked.
 */
export async function seekConsent(
  { request, isReserved }: OpenConsent,
  { context, caller, run, callDigest }: AskingCall,
): Promise<PersonsAnswer | InputRequiredResult | undefined> {
  const { digest } = request;
  const form = isReserved || !canShowForms(caller.capabilities) ? undefined : makeApprovalForm(request);
  // Later, no request is left that could come back with an answer.
  if (form !== undefined && caller.isModern && !run.isDetached()) {
    const before = countForms(context, digest, callDigest);
    const state = await caller.approvals.make(digest, callDigest, { forms: before + 1 });
    return askByResult(context, before === 0 ? form : askAgain(form), caller.codec, state);
  }
  const answered = new AbortController();
  const signal = AbortSignal.any([run.signal, answered.signal]);
  // A project is trusted with a command of its own.
  const desk = request.starts === undefined ? caller.desk : undefined;
  const asked = await desk?.ask(request, caller.clientName, signal);
  const atTerminal = async (): Promise<PersonsAnswer | undefined> => {
    if (asked === undefined) return undefined;
    return { digest, verdict: await asked.verdict, by: "terminal" };
  };
  const inForm = async (shown: typeof form): Promise<PersonsAnswer | undefined> => {
    const verdict =
      shown === undefined || caller.isModern ? "unavailable" : await run.inTurn(() => askNow(context, shown, signal));
    if (verdict !== "unavailable" || asked === undefined) {
      return shown === undefined ? undefined : { digest, verdict, by: "form" };
    }
    run.detach([describeWaiting(request, isReserved)]);
    return atTerminal();
  };
  try {
    return await (asked === undefined ? inForm(form) : Promise.race([inForm(form), atTerminal()]));
  } finally {
    answered.abort();
    run.resume();
  }
}

/** Names no command that gives the approval: that is for the person to look up. */
function describeWaiting({ tools }: ApprovalRequest, isReserved: boolean): Diagnostic {
  const namesOf = (some: readonly ToolToApprove[]): string =>
    listSome(some.map(({ serverId, toolName }) => `${serverId}/${toolName}`));
  const why = isReserved ? "which this client may not give" : "and no person could be asked";
  const changed = tools.filter(({ change }) => change !== undefined);
  const isNew = changed.length === 0 ? "" : ` New or changed since the lockfile was written: ${namesOf(changed)}.`;
  const minutes = APPROVAL_SECONDS / 60;
  return {
    severity: "warning",
    code: "APPROVAL_REQUIRED",
    message: `This script needs a person's approval to call ${namesOf(tools)}, ${why}. The run waits for it, for ${minutes} minutes.${isNew}`,
    hint: "Tell the user that a run waits for an approval, which only a person can give; then call with the runId.",
  };
}
