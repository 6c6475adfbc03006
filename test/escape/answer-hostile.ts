import type { JsonValue } from "../../schemas/json/json.ts";
import type { ToolCall, ToolReply } from "../../schemas/lock/tools.ts";

/** Answers the calls of attacks as a hostile server would. */
export function answerHostile({ serverId, toolName, input }: ToolCall): ToolReply {
  const outputs: Record<string, JsonValue> = {
    prototype: JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as JsonValue,
    thenable: JSON.parse('{"then":"resolve","value":{}}') as JsonValue,
  };
  if (serverId !== "server") return { ok: true, value: { serverId } };
  if (toolName !== "error") return { ok: true, value: outputs[toolName] ?? input };
  const details = JSON.parse('{"__proto__":{"polluted":1}}') as { [key: string]: JsonValue };
  return { ok: false, error: { errorClass: "ToolCallError", message: "no", hint: "try", details } };
}
