import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { extraContent } from "@codemode/runtime/reply-of-result";
import { printedContent, printedDepth } from "@codemode/runtime/connections/printed-content";
import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";
import { MAX_DEPTH } from "../../../schemas/json/foreign-json.ts";
import type { CallChange, ToolCall, ToolReply } from "../../../schemas/lock/tools.ts";
import { isHostSubject } from "../../sandbox/pool/host-subjects.ts";
import { type CallReply, type HandleCall, handleRead } from "../../sandbox/pool/handle-call.ts";
import type { CallHost, Run } from "../run.ts";
import { makeCalls, type ToolOutcome } from "./make-call.ts";
import { toHostReply } from "./to-reply.ts";

/** Answers what a script asks the host itself. */
export type AnswerSubject = (subject: ToolCall) => CallReply | Promise<CallReply>;

/** The host side of every call of a script: what the sandbox says of itself is worth nothing, so all is checked here again. */
export function handleCalls(host: CallHost, run: Run, answerSubject: AnswerSubject): HandleCall {
  const makeCall = makeCalls(host, run, true);
  return handleRead((call, known) =>
    isHostSubject(call.serverId)
      ? Promise.resolve(answerSubject(call))
      : makeCall(call, known).then((outcome) => toCallReply(outcome, call)),
  );
}

/** A long value stays unparsed text. */
function toCallReply(outcome: ToolOutcome, call: Omit<ToolCall, "input">): CallReply {
  if (!outcome.ok) return outcome;
  const { result, checkLater, changed } = outcome;
  const json = printedContent(result);
  if (json === undefined || checkLater === undefined)
    return withChange(toHostReply(result, call, outcome.hint), changed);
  const content = extraContent(result) as JsonValue[];
  return {
    ok: true,
    json,
    checkLater,
    readValue: () => readContent(result),
    ...withoutUndefined({ content: content.length > 0 ? content : undefined, changed }),
  };
}

function withChange(reply: ToolReply, changed: CallChange | undefined): ToolReply {
  return changed === undefined || !reply.ok ? reply : { ...reply, changed };
}

function readContent(result: JsonObject): JsonValue | undefined {
  if (printedDepth(result) > MAX_DEPTH) return undefined;
  try {
    return result["structuredContent"];
  } catch {
    return undefined;
  }
}
