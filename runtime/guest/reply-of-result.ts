import { hintForMissingClient } from "./call-failure.ts";
import type { ToolErrorData, ToolReply } from "./reply.ts";
import { unwrapToolResult } from "./unwrap.ts";

/** A result of `tools/call` as the binding returns it (specification 5.3.2), or the error that it throws where the tool failed. */
export function toReply(result: Record<string, unknown>, tool: { serverId: string; toolName: string }): ToolReply {
  if (result["isError"] === true) return { ok: false, error: describeFailedTool(result, tool) };
  return { ok: true, value: unwrapToolResult(result) };
}

function describeFailedTool(
  result: Record<string, unknown>,
  { serverId, toolName }: { serverId: string; toolName: string },
): ToolErrorData {
  const text = textOf(result);
  return {
    errorClass: "ToolCallError",
    message: text === "" ? `The tool "${toolName}" of "${serverId}" failed without a message.` : text,
    hint: hintForMissingClient(text) ?? "Read the message, change the input, and call again.",
  };
}

/** The text blocks of a result, which is where a failed tool says why. */
function textOf(result: Record<string, unknown>): string {
  const content: unknown[] = Array.isArray(result["content"]) ? result["content"] : [];
  return content
    .map((block) => (block as { text?: unknown } | null)?.text)
    .filter((text) => typeof text === "string" && text !== "")
    .join("\n");
}
