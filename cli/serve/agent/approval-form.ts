import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { ApprovalRequest, ToolToApprove } from "../../../runtime/host/approval.ts";
import { toSourceLiteral } from "../../../templates/text/visible-text.ts";

/** More than this nobody reads, and what is not read cannot be approved. */
const MAX_TOOLS = 100;
const MAX_NAME_LENGTH = 300;

/** What a person is shown; undefined where the tools are too many or too long to be shown whole. */
export function makeApprovalForm({ tools }: ApprovalRequest): ElicitRequestFormParams | undefined {
  const lines = tools.map(describeTool);
  if (tools.length > MAX_TOOLS || lines.some((line) => line.length > MAX_NAME_LENGTH)) return undefined;
  return {
    message: `A script wants to call these tools, as often as it likes in this one run:\n${lines.join("\n")}`,
    requestedSchema: {
      type: "object",
      properties: { approve: { type: "boolean", title: "Allow these calls in this run", default: false } },
      required: ["approve"],
    },
  };
}

/**
 * Names are whatever a server says: in quotes and on one line they cannot pass for anything else. Clients may show Markdown or HTML, and
 * wrap lines: so nothing else than letters, digits and plain signs is shown as it is, and no two blanks.
 */
function describeTool({ serverId, toolName, annotations = {} }: ToolToApprove): string {
  const claims = CLAIMS.filter(([hint]) => annotations[hint] === true).map(([, claim]) => claim);
  const claimed = claims.length === 0 ? "says nothing of its effects" : `says that it ${claims.join(", ")}`;
  return `- ${toSourceLiteral(`${serverId}/${toolName}`).replace(MISLEADING, toEscapes)}: ${claimed}`;
}

const MISLEADING = /[^\p{L}\p{N} _\-./:,\\"]|(?<= ) /gu;

function toEscapes(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const CLAIMS = [
  ["readOnlyHint", "only reads"],
  ["destructiveHint", "may destroy"],
  ["idempotentHint", "can be repeated"],
  ["openWorldHint", "reaches the outside world"],
] as const;

/** Whether an answer to the form says yes. Whoever closes or declines it does not. */
export function isApproved(action: string, content: { [field: string]: unknown } | undefined): boolean {
  return action === "accept" && content?.["approve"] === true;
}
