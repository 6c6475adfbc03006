import type { JsonValue } from "../../../schemas/json/json.ts";
import type { ToolReply } from "../../../schemas/lock/tools.ts";
import type { Discovery } from "./make-discovery.ts";

/** Like `Discovery`, and in its own time. */
export type DiscoveryWithScripts = (question: string, details: JsonValue) => ToolReply | Promise<ToolReply>;

/** Discovery that knows the saved scripts too, as of when it is asked. */
export function withScripts(discover: Discovery, listScripts: () => Promise<JsonValue[]>): DiscoveryWithScripts {
  return async (question, details) =>
    question === "listScripts" ? { ok: true, value: await listScripts() } : discover(question, details);
}
