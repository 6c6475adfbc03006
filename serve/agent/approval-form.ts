import type { JsonObject } from "../../schemas/json/json.ts";
import { readDecision } from "../../schemas/run/call-question.ts";
import { describeScriptInForm, describeToolsToApprove } from "../../schemas/run/describe-script.ts";
import type { ServerQuestion } from "../../schemas/run/question.ts";
import type { ApprovalRequest, ApprovalVerdict, CallDecision } from "../../schemas/run/approval.ts";

/** A person does not read more, and unread starts cannot be trusted. */
const MAX_STARTS = 100;
const MAX_START_LENGTH = 1_000;

/** The first line, and the title of the choice. */
const ASKS = {
  script: [
    "A script asks to call these tools, any number of times in this run:",
    "May the script make these calls in this run?",
  ],
  call: ["A client asks to call this tool once:", "May this call be made?"],
  change: [
    "A server has changed in the middle of a run that calls this tool:",
    "May the script go on calling it in this run?",
  ],
} as const;

/** A choice without a default: clients that sent a check box as it was shown refused for a person who meant to accept. */
const ALLOW = "Allow";
const REFUSE = "Do not allow";

/**
 * The approval as a question with one choice; undefined where it cannot be shown whole. A call that a script makes has a question of its own.
 * @param about all calls of a script, one call without a script, or a server that has changed while a script runs
 */
export function makeApprovalQuestion(
  { tools, script, starts }: ApprovalRequest,
  about: keyof typeof ASKS,
): ServerQuestion | undefined {
  if (starts !== undefined) {
    if (starts.length > MAX_STARTS || starts.some((line) => line.length > MAX_START_LENGTH)) return undefined;
    const first = "codemode has not started anything of this project on this account before. It would start or reach:";
    return choose([first, ...starts], "Trust this project on this account?");
  }
  const lines = describeToolsToApprove(tools, "markdown");
  if (lines === undefined) return undefined;
  const [first, title] = ASKS[about];
  return choose([first, ...lines, ...(script === undefined ? [] : describeScriptInForm(script))], title, tools);
}

function choose(lines: readonly string[], title: string, tools: ApprovalRequest["tools"] = []): ServerQuestion {
  const choices = [ALLOW, REFUSE].map((value) => ({ value, title: value }));
  return {
    ...{ mode: "form", isOwn: true, serverId: tools[0]?.serverId ?? "", lines },
    fields: [{ name: "approve", title, isRequired: true, kind: "choice", choices }],
  };
}

/** The question once more, for a person whose client sent its form without the choice. */
export function askAgain(question: ServerQuestion): ServerQuestion {
  const why = `Choose "${ALLOW}" or "${REFUSE}": the form came back without a choice.`;
  return { ...question, lines: [why, ...question.lines] };
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
