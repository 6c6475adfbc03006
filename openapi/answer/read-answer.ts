import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { defined, type Json, type JsonObject, isObject } from "../json.ts";
import { type ChangedNumber, parseMarked, toNumbers } from "../int64.ts";
import { bareType, isJson, isText } from "../media-types.ts";
import { stripControls, toLine } from "../openapi-error.ts";
import type { HttpReply } from "../request/exchange.ts";
import { findRedirect } from "../request/follow-redirects.ts";
import type { Operation } from "../operations.ts";
import { listSuccesses, type ResultPlan } from "../tools/result-schema.ts";
import type { ApiTool } from "../tools/make-tools.ts";
import { hintOfStatus } from "./status-hints.ts";
import { describeReply } from "./reply-facts.ts";

/** The body of an error that is shown. */
const MAX_ERROR_LENGTH = 4_000;
/** The body of a success that is none: its first lines say what it is. */
const MAX_WRONG_LENGTH = 500;

/** What an answer is read with. */
export interface AnswerContext {
  /** The environment variables that the operation's logins are read from. */
  variables: string[];
  /** Replaces every secret value in a text of an error. */
  mask: (text: string) => string;
  /** Replaces every credential in an answer that a script computes with. */
  maskAnswer: <Value extends Json>(value: Value) => Value;
}

/** Makes the result of a tool from the answer of the API: what the API said, or an error. Only an empty body is an empty result. */
export function readAnswer(tool: ApiTool, reply: HttpReply, context: AnswerContext): CallToolResult {
  try {
    return readReply(tool, reply, context);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { method, path } = tool.operation;
    const text = `${method} ${path} answered ${reply.status} with JSON that is nested too deeply\nhint: The call was made. Ask for fewer levels, if the API can leave some out.`;
    const facts = describeReply(reply, context.mask);
    return { isError: true, content: [{ type: "text", text }], _meta: { "dev.codemode/http": facts } };
  }
}

/** @throws RangeError where the body is nested deeper than the stack is high */
function readReply(tool: ApiTool, reply: HttpReply, context: AnswerContext): CallToolResult {
  const facts = describeReply(reply, context.mask);
  const meta = { _meta: { "dev.codemode/http": facts } };
  if (reply.status >= 300) return { ...readFailure(tool, reply, context), ...meta };
  const hasSchema = tool.definition.outputSchema !== undefined;
  const read = readBody(tool, reply);
  if (read.kind === "nothing") return { ...nothing(hasSchema), ...meta };
  if (read.kind === "wrong") return { ...readWrong(tool, reply, context), ...meta };
  if (read.kind === "json") {
    if (read.changed !== undefined) Object.assign(meta._meta, { "dev.codemode/changed-number": read.changed });
    // A body that is no object cannot be structured content as it is.
    const wrapped = { body: read.value, ...defined({ links: facts.links }) };
    const whole: JsonObject = tool.result.isWrapped || !isObject(read.value) ? wrapped : read.value;
    const structuredContent = context.maskAnswer(whole);
    return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent, ...meta };
  }
  const text = read.kind === "text" ? context.maskAnswer(read.text) : undefined;
  const content = text === undefined ? toBlob(reply) : ({ type: "text", text } as const);
  const body = text ?? toFile(reply);
  return { ...defined({ structuredContent: hasSchema ? { body } : undefined }), content: [content], ...meta };
}

type ReadBody =
  | { kind: "nothing" | "wrong" | "bytes" }
  | { kind: "json"; value: Json; changed?: ChangedNumber | undefined }
  | { kind: "text"; text: string };

/**
 * Reads a body by what the document promises for its status, and by what the answer says of itself where the document has that type too, or
 * promises nothing. JSON is JSON under any name: many servers send it as plain text.
 */
function readBody({ operation, result }: ApiTool, reply: HttpReply): ReadBody {
  if (reply.body.byteLength === 0) return { kind: "nothing" };
  const contentType = reply.headers["content-type"] ?? "";
  const promised = findPromise(operation, reply.status);
  const isOther = promised.some((type) => !isJson(type) && bareType(type) === bareType(contentType));
  const isPromised = promised.some(isJson);
  const saysJson = isJson(contentType);
  const isReadable = isText(contentType) || contentType === "";
  if (!isOther && (isPromised || saysJson || (contentType === "" && promised.length === 0))) {
    const text = decode(reply);
    if (text.trim() === "") return { kind: "nothing" };
    const json = parseJson(text);
    const read = json && toJson(result, json.value);
    if (read !== undefined && !(result.text === "only" && isReadable && typeof read.value !== "string"))
      return { kind: "json", ...read };
    if (saysJson || (isPromised && !isPlainText(promised, result.text, contentType))) return { kind: "wrong" };
  }
  if (isReadable || saysJson) return { kind: "text", text: decode(reply) };
  return { kind: "bytes" };
}

/** What is left of a large integer: a text where that is asked for, else a number, which may be another one. */
function toJson(result: ResultPlan, marked: Json): { value: Json; changed?: ChangedNumber | undefined } {
  const isBody = result.isWrapped || !isObject(marked);
  return toNumbers(result.toTexts?.(marked) ?? marked, isBody ? "/body" : "");
}

/**
 * Whether a text that is no JSON is what the document promises: for a text alone, some frameworks leave the quotes of JSON out. A page is taken
 * only where the document lets any type come.
 */
function isPlainText(promised: string[], text: ResultPlan["text"], contentType: string): boolean {
  if (!isText(contentType) && contentType !== "") return false;
  const isPage = bareType(contentType) === "text/html";
  const isAny = promised.some((type) => type.includes("*"));
  return text === "only" ? !isPage || isAny : text === "also" && isAny && !isPage;
}

/** The media types that the document names for a status; those of all successes for a status that it does not know. */
function findPromise({ responses }: Operation, status: number): string[] {
  const names = [String(status), `${String(status).charAt(0)}XX`, "default"];
  const found = names.map((name) => responses.find((response) => response.status === name)).find(Boolean);
  const cases = found === undefined ? listSuccesses(responses) : [found];
  return cases.flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
}

/** A tool with an output schema must give an object. */
function nothing(hasSchema: boolean): CallToolResult {
  return hasSchema ? { content: [], structuredContent: {} } : { content: [] };
}

/** A success whose body is no JSON, though document or answer say so: the page of a login or a proxy, most often. */
function readWrong({ operation }: ApiTool, reply: HttpReply, context: AnswerContext): CallToolResult {
  const said = bareType(reply.headers["content-type"] ?? "") || "no content type";
  const text = [
    `${operation.method} ${operation.path} answered ${reply.status} with ${said}, and the body is no JSON`,
    showBody(reply, context, MAX_WRONG_LENGTH),
    "hint: Look at the body: a login or a proxy may have answered in the place of the API. If the API is right, correct its document.",
  ];
  return { isError: true, content: [{ type: "text", text: text.filter((line) => line !== "").join("\n") }] };
}

function parseJson(text: string): { value: Json } | undefined {
  try {
    return { value: parseMarked(text) };
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

/** A file as arguments have them. */
function toFile({ headers, body }: HttpReply): JsonObject {
  return { base64: body.toString("base64"), mediaType: bareType(headers["content-type"] ?? "") };
}

/** A body within an error: cut, cleaned, and without the values of logins. */
function showBody(reply: HttpReply, { mask }: AnswerContext, maxLength: number): string {
  const contentType = reply.headers["content-type"] ?? "";
  const isReadable = isText(contentType) || isJson(contentType) || contentType === "";
  if (!isReadable) return `(${reply.body.byteLength} bytes of ${bareType(contentType)})`;
  const body = mask(stripControls(decode(reply)).trim());
  return body.length > maxLength ? `${body.slice(0, maxLength)}…` : body;
}

function readFailure(tool: ApiTool, reply: HttpReply, context: AnswerContext): CallToolResult {
  const { operation } = tool;
  const { mask, variables } = context;
  const shown = showBody(reply, context, MAX_ERROR_LENGTH);
  const status = `${reply.status} ${mask(stripControls(reply.statusText)).slice(0, 100)}`.trim();
  const target = findRedirect(reply);
  const leads = target === undefined ? "" : `, and leads to ${mask(toLine(target.href, 2_000))}`;
  const text = [
    `${operation.method} ${operation.path} answered ${status}${leads}`,
    shown,
    `hint: ${hintOfStatus(reply, variables)}`,
  ];
  return { isError: true, content: [{ type: "text", text: text.filter((line) => line !== "").join("\n") }] };
}

/** The result of a call that could not be made. */
export function toFailedAnswer(message: string, hint: string): CallToolResult & JsonObject {
  return { isError: true, content: [{ type: "text", text: `${message}\nhint: ${hint}` }] };
}
