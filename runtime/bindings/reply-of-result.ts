import { hintForMissingClient } from "./call-failure.ts";
import type { ToolErrorData, ToolReply } from "./reply.ts";
import { unwrapToolResult } from "./unwrap.ts";

/** A result of `tools/call` as the binding returns it (specification 5.3.2), or the error that it throws where the tool failed. */
export function toReply(result: Record<string, unknown>, tool: { serverId: string; toolName: string }): ToolReply {
  if (result["isError"] === true) return { ok: false, error: describeFailedTool(result, tool) };
  const content = extraContent(result);
  return { ok: true, value: unwrapToolResult(result), ...(content.length > 0 && { content }) };
}

/**
 * The content blocks beside structured content. Servers repeat that as JSON text for older clients: where there is nothing else, there is
 * nothing to send twice.
 */
export function extraContent(result: Record<string, unknown>): unknown[] {
  const { content } = result;
  if (!Object.hasOwn(result, "structuredContent") || !Array.isArray(content)) return [];
  const blocks: unknown[] = content;
  return blocks.every(isJsonText) ? [] : blocks;
}

function isJsonText(block: unknown): boolean {
  const text = (block as { text?: unknown } | null)?.text;
  return typeof text === "string" && /^\s*[[{]/.test(text);
}

function describeFailedTool(
  result: Record<string, unknown>,
  { serverId, toolName }: { serverId: string; toolName: string },
): ToolErrorData {
  const text = textOf(result);
  return {
    errorClass: "ToolCallError",
    message: text === "" ? `The tool "${toolName}" of "${serverId}" failed without a message.` : text,
    hint:
      hintForMissingClient(text) ??
      (OWN_HINT.test(text) ? FOLLOW : "Read the message, change the input, and call again."),
  };
}

/** A server that says itself what to do. Its words stay in the message: a hint is codemode's. */
const OWN_HINT = /(?:^|\n)hint: /i;
const FOLLOW = "The message says what to do; if you cannot do it, tell the user.";

/** The text blocks of a result, which is where a failed tool says why. */
function textOf(result: Record<string, unknown>): string {
  const content: unknown[] = Array.isArray(result["content"]) ? result["content"] : [];
  return content
    .map((block) => (block as { text?: unknown } | null)?.text)
    .filter((text) => typeof text === "string" && text !== "")
    .join("\n");
}
