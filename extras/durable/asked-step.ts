import { randomBytes } from "node:crypto";
import { clock } from "../../engine/clock.ts";
import type { ApprovalRequest, CallDecision } from "../../schemas/run/approval.ts";
import { describeCallToApprove, isShortened, viewOf } from "../../schemas/run/describe-call.ts";
import { describeScriptToApprove, describeToolsToApprove } from "../../schemas/run/describe-script.ts";
import type { StepOf } from "../../schemas/run/durable-run.ts";
import { describeWithFields, type ServerQuestion } from "../../schemas/run/question.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import { asJson } from "../../schemas/json/json.ts";

// A question and its answer as the log of a run keeps them.

/** About the script as a whole; undefined where it wants to call more tools than a person reads. */
export function askOfScript(request: ApprovalRequest): StepOf<"asked"> | undefined {
  const { tools, script } = request;
  const lines = describeToolsToApprove(tools);
  if (lines === undefined || script === undefined) return undefined;
  const whole = [...lines, ...describeScriptToApprove(script)];
  return { ...commonOf(request), about: "script", lines, whole, at: clock.wall() };
}

/** About one call: where the whole arguments are too long for a log, the short ones stand for them. */
export function askOfCall(request: ApprovalRequest, call: number): StepOf<"asked"> {
  const lines = describeCallToApprove(request);
  const whole = isShortened(request) ? describeCallToApprove(request, true) : undefined;
  const isLong = whole !== undefined && whole.join("").length > LONGEST_WHOLE;
  return {
    ...{ ...commonOf(request), about: "call", call, lines },
    whole: isLong ? [...lines, "  too long to be shown whole here"] : whole,
    inputSchema: request.call && viewOf(request.call).inputSchema,
  };
}

/** What a server asks in the middle of a call. */
export function askOfServer(question: ServerQuestion): StepOf<"asked"> {
  const digest = integrityOf(["server question", asJson(question)]);
  return {
    ...{ kind: "asked", about: "server", digest, nonce: makeNonce() },
    ...{ lines: describeWithFields(question), question },
  };
}

/** What was decided about a question of the log. */
export function toDecided(number: number, digest: string, decision: CallDecision): StepOf<"decided"> {
  return { kind: "decided", number, digest, decision };
}

/** Characters. */
const LONGEST_WHOLE = 100_000;

function commonOf({ digest, tools }: ApprovalRequest) {
  const names = tools.map(({ serverId, toolName }) => `${serverId}/${toolName}`);
  return { kind: "asked", digest, nonce: makeNonce(), tools: names } as const;
}

/** No other question has this one. */
function makeNonce(): string {
  return randomBytes(16).toString("base64url");
}
