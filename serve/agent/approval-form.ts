import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../schemas/json/json.ts";
import { makeCallQuestion, readDecision } from "../../schemas/run/call-question.ts";
import { describeScriptInForm, describeToolsToApprove } from "../../schemas/run/describe-script.ts";
import type { ServerQuestion } from "../../schemas/run/question.ts";
import type { ApprovalRequest, ApprovalVerdict, CallDecision } from "../../schemas/run/approval.ts";
import { toElicitation } from "./ask-person.ts";

/** A person does not read more, and unread starts cannot be trusted. */
const MAX_STARTS = 100;

/** What a person is shown; undefined where the tools are too many or too long to be shown whole. */
export function makeApprovalForm(request: ApprovalRequest): ElicitRequestFormParams | undefined {
  const { tools, starts, call, script } = request;
  if (starts !== undefined) return makeTrustForm(starts);
  if (call !== undefined) return toElicitation(makeCallQuestion(request, true)) as ElicitRequestFormParams;
  const lines = describeToolsToApprove(tools, "markdown");
  if (lines === undefined) return undefined;
  const shown = [...lines, ...(script === undefined ? [] : describeScriptInForm(script))];
  return {
    message: `${ASKS_TO_CALL}\n${shown.join("\n")}`,
    requestedSchema: choiceOf(MAY_CALL),
  };
}

const ASKS_TO_CALL = "A script asks to call these tools, any number of times in this run:";
const MAY_CALL = "May the script make these calls in this run?";

const MAX_START_LENGTH = 1_000;

function makeTrustForm(lines: readonly string[]): ElicitRequestFormParams | undefined {
  if (lines.length > MAX_STARTS || lines.some((line) => line.length > MAX_START_LENGTH)) return undefined;
  return {
    message: `codemode has not started anything of this project on this account before. It would start or reach:\n${lines.join("\n")}`,
    requestedSchema: choiceOf("Trust this project on this account?"),
  };
}

const ALLOW = "Allow";
const REFUSE = "Do not allow";

/** A choice without a default: clients that sent a check box as it was shown refused for a person who meant to accept. */
function choiceOf(title: string): ElicitRequestFormParams["requestedSchema"] {
  return {
    type: "object",
    properties: { approve: { type: "string", title, enum: [ALLOW, REFUSE] } },
    required: ["approve"],
  };
}

/** The approval as a question of a run that has begun, in place of a form before it; undefined where it cannot be shown whole. */
export function makeApprovalQuestion({ tools, script }: ApprovalRequest): ServerQuestion | undefined {
  const lines = describeToolsToApprove(tools, "markdown");
  const [tool] = tools;
  if (lines === undefined || tool === undefined) return undefined;
  const choices = [ALLOW, REFUSE].map((value) => ({ value, title: value }));
  const title = script === undefined ? "May the script go on calling it in this run?" : MAY_CALL;
  const shown =
    script === undefined
      ? ["A server has changed in the middle of a run that calls this tool:", ...lines]
      : [ASKS_TO_CALL, ...lines, ...describeScriptInForm(script)];
  return {
    ...{ mode: "form", isOwn: true, serverId: tool.serverId },
    lines: shown,
    fields: [{ name: "approve", title, isRequired: true, kind: "choice", choices }],
  };
}

/** The form once more, for a person whose client sent it without the choice. */
export function askAgain(form: ElicitRequestFormParams): ElicitRequestFormParams {
  return {
    ...form,
    message: `Choose "${ALLOW}" or "${REFUSE}": the form came back without a choice.\n${form.message}`,
  };
}

/**
 * What an answer to the form says; `unanswered` where it was accepted without the choice. Only the choice itself is a yes, and an answer to
 * another form is none. The form of a call gives a decision, whose `input` has only what takes the place of arguments.
 */
export function toVerdict(
  action: string,
  content: { [field: string]: unknown } = {},
): ApprovalVerdict | CallDecision | "unanswered" {
  if (action === "decline") return "refused";
  if (action !== "accept") return "closed";
  if (Object.hasOwn(content, "decision")) {
    const decision = readDecision(content as JsonObject, {});
    return typeof decision === "object" && "verdict" in decision ? decision : "unanswered";
  }
  const choice = content["approve"];
  if (choice === undefined && Object.keys(content).length > 0) return "closed";
  if (choice === ALLOW) return "granted";
  return choice === REFUSE ? "refused" : "unanswered";
}
