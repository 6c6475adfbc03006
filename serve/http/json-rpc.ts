import { isJsonObject, type JsonObject, type JsonValue } from "../../schemas/json/json.ts";
import { withoutNullMembers } from "../../schemas/json/absent-members.ts";
import type { IncomingMessage } from "node:http";

/** The messages of a body: one, or in old revisions a list. */
export function toMessages(body: JsonValue | undefined): JsonObject[] {
  return [body].flat().filter((message): message is JsonObject => message !== undefined && isJsonObject(message));
}

/** Tells whether a message starts something that has to be answered; a notification or an answer does not. */
export function isRequest(message: JsonObject): boolean {
  return Object.hasOwn(message, "method") && Object.hasOwn(message, "id");
}

/** Tells whether a request is a subscription, which is answered for as long as the client likes. */
export function isSubscription(message: JsonObject): boolean {
  return message["method"] === "subscriptions/listen";
}

/** The request that a message cancels. */
export function cancelledRequest({ method, params }: JsonObject): string | number | undefined {
  if (method !== "notifications/cancelled" || !isJsonObject(params)) return undefined;
  const { requestId } = params;
  return typeof requestId === "string" || typeof requestId === "number" ? requestId : undefined;
}

/** A body as it is read, without members of its messages that are null. */
export function toReadBody(body: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(body))
    return body.map((message) => (isJsonObject(message) ? withoutNullMembers(message) : message));
  return body !== undefined && isJsonObject(body) ? withoutNullMembers(body) : body;
}

/** Says no before a server of MCP has seen the request, in the form that clients of MCP read. */
export function refuse(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code = -32_000,
): Response {
  const body = { jsonrpc: "2.0", error: { code, message }, id: null };
  return Response.json(body, { status, headers });
}

/** Bytes; a script of that size would be refused anyway. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** So much of a body that is refused is read and dropped before the connection is cut: a client in the middle of sending reads no answer. */
const MAX_DROPPED_BYTES = 32 * 1024 * 1024;

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/** One of both, or neither where there is no body to read. */
export interface ReadBody {
  body?: JsonValue | undefined;
  refusal?: Response | undefined;
}

/** Reads the body of a request, or says why it is refused. */
export async function readJsonBody(incoming: IncomingMessage): Promise<ReadBody> {
  const announced = Number(incoming.headers["content-length"] ?? 0);
  // Node drops what a client goes on sending after an answer, and keeps the connection unless the answer closes it.
  if (announced > MAX_BODY_BYTES) return { refusal: tooLong(announced > MAX_DROPPED_BYTES) };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_DROPPED_BYTES) break;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > MAX_BODY_BYTES) return { refusal: tooLong(true) };
  try {
    return { body: JSON.parse(UTF_8.decode(Buffer.concat(chunks))) as JsonValue };
  } catch {
    return { refusal: refuse(400, "Parse error: the body is not JSON in UTF-8", {}, -32_700) };
  }
}

function tooLong(closes: boolean): Response {
  const message = `The body of a request is limited to ${MAX_BODY_BYTES} bytes`;
  return refuse(413, message, closes ? { connection: "close" } : {});
}
