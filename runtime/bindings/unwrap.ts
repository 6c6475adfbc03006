/** Unwraps the result of `tools/call` into the value that a binding returns (specification 5.3.2). */
export function unwrapToolResult(result: Record<string, unknown>): unknown {
  if (Object.hasOwn(result, "structuredContent")) return result["structuredContent"];
  const content = result["content"];
  if (Array.isArray(content) && content.length === 1 && isTextBlock(content[0])) return content[0].text;
  return result;
}

function isTextBlock(block: unknown): block is { type: "text"; text: string } {
  if (typeof block !== "object" || block === null) return false;
  const { type, text } = block as Record<string, unknown>;
  return type === "text" && typeof text === "string";
}
