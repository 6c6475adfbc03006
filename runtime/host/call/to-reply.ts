import { toReply as toGuestReply } from "@codemode/runtime/reply-of-result";
import type { JsonObject } from "../../../schemas/json/json.ts";
import type { ToolCall, ToolReply } from "../../../schemas/lock/tools.ts";

/**
 * A result as the binding returns it (specification 5.3.2), or the error that it throws where the tool failed.
 * @param hint in place of the error's, where more is known than its message says
 */
export function toHostReply(result: JsonObject, call: Omit<ToolCall, "input">, hint?: string): ToolReply {
  const reply = toGuestReply(result, call) as ToolReply;
  return reply.ok || hint === undefined ? reply : { ok: false, error: { ...reply.error, hint } };
}
