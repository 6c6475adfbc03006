import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";
import type { CallError, ToolErrorClass, ToolReply } from "../../../schemas/lock/tools.ts";

export { didYouMean } from "@codemode/runtime/call-failure";

/** An error for the script to catch. */
export function toRefusal(errorClass: ToolErrorClass, message: string, hint: string, details?: JsonObject): CallError {
  return { errorClass, message, hint, ...withoutUndefined({ details }) };
}

/** The reply that carries it. */
export function refused(errorClass: ToolErrorClass, message: string, hint: string): ToolReply {
  return { ok: false, error: toRefusal(errorClass, message, hint) };
}
