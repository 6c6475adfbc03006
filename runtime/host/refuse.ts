import { nearestName } from "@codemode/runtime/nearest-name";
import type { JsonObject } from "../../schemas/json.ts";
import type { ToolError, ToolErrorClass, ToolReply } from "../../schemas/tools.ts";

/** An error for the script to catch. */
export function toRefusal(errorClass: ToolErrorClass, message: string, hint: string, details?: JsonObject): ToolError {
  return { errorClass, message, hint, ...(details === undefined ? {} : { details }) };
}

/** The reply that carries it. */
export function refused(errorClass: ToolErrorClass, message: string, hint: string): ToolReply {
  return { ok: false, error: toRefusal(errorClass, message, hint) };
}

/** The hint for a name that is not there: the nearest one that is, or something else to do. */
export function didYouMean(name: string, known: Iterable<string>, otherwise: string): string {
  const nearest = nearestName(name, [...known]);
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}
