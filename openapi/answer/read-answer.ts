import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { defined, type Json, type JsonObject, isObject } from "../json.ts";
import { bareType, isJson, isText } from "../media-types.ts";
import { stripControls } from "../openapi-error.ts";
import type { HttpReply } from "../request/exchange.ts";
import type { ApiTool } from "../tools/make-tools.ts";
import { hintFor } from "./status-hints.ts";
import { describeReply } from "./reply-facts.ts";

/** The body of an error that is shown. */
const MAX_ERROR_LENGTH = 4_000;

/** What an answer is read with. */
export interface AnswerContext {
  /** The environment variables that the operation's logins are read from. */
  variables: string[];
  mask: (text: string) => string;
}

/** Makes the result of a tool from the answer of the API. */
export function readAnswer(tool: ApiTool, reply: HttpReply, context: AnswerContext): CallToolResult {
  const facts = describeReply(reply, context.mask);
  const meta = { _meta: { "dev.codemode/http": facts } };
  if (reply.status >= 300) return { ...readFailure(tool, reply, context), ...meta };
  const contentType = reply.headers["content-type"] ?? "";
  const hasSchema = tool.definition.outputSchema !== undefined;
  if (reply.body.byteLength === 0) return { ...nothing(hasSchema), ...meta };
  const json = isJson(contentType) || contentType === "" ? parseJson(decode(reply)) : undefined;
  if (json !== undefined) {
    // A body that is no object cannot be structured content as it is.
    const wrapped = { body: json.value, ...defined({ links: facts.links }) };
    const structuredContent = tool.result.isWrapped || !isObject(json.value) ? wrapped : json.value;
    return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent, ...meta };
  }
  if (isText(contentType) || isJson(contentType)) {
    const text = decode(reply);
    const structured = tool.result.isWrapped
      ? { structuredContent: { body: text } }
      : hasSchema
        ? { structuredContent: {} }
        : {};
    return { content: [{ type: "text", text }], ...structured, ...meta };
  }
  return { ...defined({ structuredContent: hasSchema ? {} : undefined }), content: [toBlob(reply)], ...meta };
}

/** A tool with an output schema must give an object. */
function nothing(hasSchema: boolean): CallToolResult {
  return hasSchema ? { content: [], structuredContent: {} } : { content: [] };
}

function parseJson(text: string): { value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

function decode({ headers, body }: HttpReply): string {
  const charset = /;\s*charset="?([\w-]+)/i.exec(headers["content-type"] ?? "")?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString("utf8");
  }
}

/** Clients show these; every other file is a resource with its bytes. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

function toBlob({ headers, body, url }: HttpReply): ContentBlock {
  const mimeType = bareType(headers["content-type"] ?? "") || "application/octet-stream";
  const data = body.toString("base64");
  if (IMAGES.has(mimeType)) return { type: "image", data, mimeType };
  if (/^audio\/(?:wav|mpeg|mp4|ogg|webm|flac)$/.test(mimeType)) return { type: "audio", data, mimeType };
  // Without the query, which can have a key in it.
  return { type: "resource", resource: { uri: `${url.origin}${url.pathname}`, mimeType, blob: data } };
}

function readFailure(tool: ApiTool, reply: HttpReply, { mask, variables }: AnswerContext): CallToolResult {
  const { operation } = tool;
  const contentType = reply.headers["content-type"] ?? "";
  const isReadable = isText(contentType) || isJson(contentType) || contentType === "";
  const body = isReadable
    ? mask(stripControls(decode(reply)).trim())
    : `(${reply.body.byteLength} bytes of ${bareType(contentType)})`;
  const shown = body.length > MAX_ERROR_LENGTH ? `${body.slice(0, MAX_ERROR_LENGTH)}…` : body;
  const status = `${reply.status} ${mask(stripControls(reply.statusText)).slice(0, 100)}`.trim();
  const text = [
    `${operation.method} ${operation.path} answered ${status}`,
    shown,
    `hint: ${hintFor(reply, variables)}`,
  ];
  return { isError: true, content: [{ type: "text", text: text.filter((line) => line !== "").join("\n") }] };
}

/** The result of a call that could not be made. */
export function toFailure(message: string, hint: string): CallToolResult & JsonObject {
  return { isError: true, content: [{ type: "text", text: `${message}\nhint: ${hint}` }] };
}
