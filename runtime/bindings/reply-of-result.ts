import { hintForMissingClient } from "./call-failure.ts";
import { readRetryAfter } from "./read-retry-after.ts";
import type { ToolErrorData, SentReply } from "./reply.ts";
import { unwrapToolResult } from "./unwrap.ts";

/** A result of `tools/call` as the binding returns it (specification 5.3.2), or the error that it throws where the tool failed. */
export function toReply(result: Record<string, unknown>, tool: { serverId: string; toolName: string }): SentReply {
  if (result["isError"] === true) return { ok: false, error: describeFailedTool(result, tool) };
  const content = extraContent(result);
  const value = unwrapToolResult(result);
  return content.length === 0 ? { ok: true, value } : { ok: true, value, content };
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
  const structured = structuredOf(result);
  const message = textOf(result) || messageOf(structured);
  const details = { ...factsOf(result), data: structured };
  const known = Object.entries(details).filter(([, value]) => value !== undefined);
  return {
    errorClass: "ToolCallError",
    message: message === "" ? `The tool "${toolName}" of "${serverId}" failed without a message.` : message,
    hint:
      hintForMissingClient(message) ??
      (OWN_HINT.test(message) ? FOLLOW : "Read the message, change the input, and call again."),
    ...(known.length > 0 && { details: Object.fromEntries(known) }),
  };
}

/** A server that says itself what to do. Its words stay in the message: a hint is codemode's. */
const OWN_HINT = /(?:^|\n)hint: /i;
const FOLLOW = "The message says what to do; if you cannot do it, tell the user.";

/** More is no detail of an error. */
const MAX_DATA_LENGTH = 64 * 1024;

/** The structured content; undefined where there is none, or where it is too long or, being text until it is read, no JSON. */
function structuredOf(result: Record<string, unknown>): unknown {
  try {
    const structured = result["structuredContent"] ?? undefined;
    return structured === undefined || JSON.stringify(structured).length > MAX_DATA_LENGTH ? undefined : structured;
  } catch {
    return undefined;
  }
}

/** The texts of a result, also those of resources: a failed tool says there why. */
function textOf(result: Record<string, unknown>): string {
  const content: unknown[] = Array.isArray(result["content"]) ? result["content"] : [];
  return content
    .map((block) => {
      const { text, resource } = (block ?? {}) as { text?: unknown; resource?: { text?: unknown } | null };
      return text ?? resource?.text;
    })
    .filter((text) => typeof text === "string" && text !== "")
    .join("\n");
}

const MAX_PRINTED = 2_000;

/** What structured content says of an error that no text says: its message, else the whole. */
function messageOf(structured: unknown): string {
  if (typeof structured !== "object" || structured === null) return "";
  const { message, error, detail, title } = structured as Record<string, unknown>;
  const inner = typeof error === "object" && error !== null ? (error as { message?: unknown }).message : error;
  const text = [message, inner, detail, title].find((one) => typeof one === "string" && one !== "");
  if (typeof text === "string") return text;
  const printed = JSON.stringify(structured);
  return printed.length > MAX_PRINTED ? `${printed.slice(0, MAX_PRINTED)}…` : printed;
}

/** What @codemode/openapi says of the answer of an API, and a tool of the program of its error. */
function factsOf(result: Record<string, unknown>): {
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  code?: string | undefined;
} {
  const meta = result["_meta"] as Record<string, unknown> | null | undefined;
  const code = meta?.["dev.codemode/error-code"];
  const http = meta?.["dev.codemode/http"] as
    | { status?: unknown; headers?: Record<string, unknown> | null }
    | null
    | undefined;
  return {
    status: typeof http?.status === "number" ? http.status : undefined,
    code: typeof code === "string" ? code : undefined,
    retryAfterMs: readRetryAfter(http?.headers?.["retry-after"]),
  };
}
