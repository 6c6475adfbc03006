import { toReply as toGuestReply } from "@codemode/runtime/reply-of-result";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { ToolCall, ToolReply } from "../../schemas/lock/tools.ts";

/** A result as the binding returns it (specification 5.3.2), or the error that it throws where the tool failed. */
export function toReply(result: JsonObject, call: Omit<ToolCall, "input">): ToolReply {
  return toGuestReply(result, call) as ToolReply;
}
