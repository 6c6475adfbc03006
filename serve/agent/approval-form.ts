import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { ApprovalRequest, ApprovalVerdict, ToolToApprove } from "../../schemas/run/approval.ts";
import { describeToolToApprove } from "../../schemas/run/describe-tool-to-approve.ts";

/** A person does not read more, and unread tools cannot be approved. */
const MAX_TOOLS = 100;
const MAX_NAME_LENGTH = 300;

/** What a person is shown; undefined where the tools are too many or too long to be shown whole. */
export function makeApprovalForm({ tools, starts }: ApprovalRequest): ElicitRequestFormParams | undefined {
  if (starts !== undefined) return makeTrustForm(starts);
  const lines = describeToolsToApprove(tools);
  if (lines === undefined) return undefined;
  return {
    message: `A script asks to call these tools, any number of times in this run:\n${lines.join("\n")}`,
    requestedSchema: {
      type: "object",
      properties: { approve: { type: "boolean", title: "Allow these calls in this run", default: false } },
      required: ["approve"],
    },
  };
}

/** A line for each; undefined where they are too many or too long to be read. */
export function describeToolsToApprove(tools: readonly ToolToApprove[]): string[] | undefined {
  const lines = tools.map(describeToolToApprove);
  return tools.length > MAX_TOOLS || lines.some((line) => line.length > MAX_NAME_LENGTH) ? undefined : lines;
}

const MAX_START_LENGTH = 1_000;

function makeTrustForm(lines: readonly string[]): ElicitRequestFormParams | undefined {
  if (lines.length > MAX_TOOLS || lines.some((line) => line.length > MAX_START_LENGTH)) return undefined;
  return {
    message: `codemode has not started anything of this project on this account before. It would start or reach:\n${lines.join("\n")}`,
    requestedSchema: {
      type: "object",
      properties: { approve: { type: "boolean", title: "Trust this project on this account", default: false } },
      required: ["approve"],
    },
  };
}

/** What an answer to the form says. Only `approve: true` is a yes; a form that was closed, or accepted without the field, is no answer. */
export function toVerdict(action: string, content: { [field: string]: unknown } | undefined): ApprovalVerdict {
  if (action === "decline") return "refused";
  const approve = action === "accept" ? content?.["approve"] : undefined;
  if (approve === true) return "granted";
  return approve === false ? "refused" : "closed";
}
