import {
  isJsonObject,
  ownValue,
  parseJsonObject,
  toJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../../schemas/json/json.ts";
import { withoutNulls } from "../../../../schemas/json/absent-members.ts";
import { noteChangedNumber } from "../changed-numbers.ts";
import { findMessage, toBrokenAnswer } from "./unclear-lines.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";

/**
 * One message of a server, put into the exact form that JSON-RPC asks for, or what is to be done instead:
 * `broken` is an answer to request `id` that says nothing usable, `refused` a request that deserves an error.
 */
export type IncomingMessage =
  | { kind: "response" | "request" | "notification"; message: JsonObject }
  | { kind: "broken"; id: RequestId; problem: string }
  | { kind: "refused"; id: RequestId; problem: string };

export type RequestId = string | number;

/** JSON-RPC 2.0, section 5.1. */
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INTERNAL_ERROR = -32603;

/** An error as a response holds it. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: JsonValue | undefined;

  constructor(code: number, message: string, data?: JsonValue) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Some platforms begin every stream with it. */
const BYTE_ORDER_MARK = /^\uFEFF/;

/**
 * Reads one line of a server's output. Real servers print banners, leave out `jsonrpc`, add keys or send `"_meta": null`;
 * none of that may end in a call that waits for ever, so what can be understood is put right, and the rest is named.
 *
 * @returns the messages: none where the line is no JSON object, several where it is a batch (MCP 2025-03-26)
 */
export function parseIncoming(line: string): IncomingMessage[] {
  let value: JsonValue;
  try {
    value = JSON.parse(line.replace(BYTE_ORDER_MARK, "")) as JsonValue;
  } catch {
    const start = findMessage(line);
    // Of what stands behind other text only an answer counts: servers also log what they were asked.
    if (start > 0)
      return parseIncoming(line.slice(start)).filter(({ kind }) => kind === "response" || kind === "broken");
    const broken = toBrokenAnswer(line);
    return broken === undefined ? [] : [broken];
  }
  if (Array.isArray(value)) return value.flatMap((entry) => (isJsonObject(entry) ? toIncoming(entry) : []));
  if (!isJsonObject(value)) return [];
  const messages = toIncoming(value);
  for (const { kind, ...rest } of messages) {
    const result = kind === "response" && "message" in rest ? ownValue(rest.message, "result") : undefined;
    if (isJsonObject(result)) noteChangedNumber(result, line);
  }
  return messages;
}

/** The JSON-RPC error that a body holds, as of a response with an HTTP error or without the id of its request; undefined where it is none. */
export function readRpcError(body: string): RpcError | undefined {
  const read = parseJsonObject(body.replace(BYTE_ORDER_MARK, ""));
  const error = read && ownValue(read, "error");
  if (!isJsonObject(error) || !Number.isInteger(error["code"]) || typeof error["message"] !== "string")
    return undefined;
  const { code, message, data } = toRpcError(error);
  return new RpcError(code as number, message as string, data);
}

/** The id of a response that was too long to keep, found at either end of it; servers write it before or after the result. */
export function findResponseId(head: string, tail: string): RequestId | undefined {
  const early = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*("?)(\d{1,15})\1\s*,(?!\s*"method")/.exec(head);
  const late =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"\s*:/.test(head) &&
    /"id"\s*:\s*("?)(\d{1,15})\1\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail);
  const found = early ?? (late || undefined);
  return found?.[2] === undefined ? undefined : Number(found[2]);
}

function toIncoming(entry: JsonObject): IncomingMessage[] {
  const id = ownValue(entry, "id");
  const method = ownValue(entry, "method");
  const identified = typeof id === "string" || (typeof id === "number" && Number.isInteger(id));
  if (typeof method === "string") {
    const params = toMembers(ownValue(entry, "params") ?? {});
    if (id === undefined) return params ? [{ kind: "notification", message: { jsonrpc: "2.0", method, params } }] : [];
    if (!identified) return [];
    if (params === undefined) return [{ kind: "refused", id, problem: "params must be an object" }];
    // No request of a server is served by its `_meta`, and a broken one would keep it from being answered.
    return [{ kind: "request", message: { jsonrpc: "2.0", id, method, params: without(params, "_meta") } }];
  }
  if (!identified) return [];
  if (Object.hasOwn(entry, "error") && entry["error"] !== null) {
    return [{ kind: "response", message: { jsonrpc: "2.0", id, error: toRpcError(entry["error"] as JsonValue) } }];
  }
  const result = toMembers(ownValue(entry, "result"));
  if (result === undefined) return [{ kind: "broken", id, problem: "an answer without a result object" }];
  return [{ kind: "response", message: { jsonrpc: "2.0", id, result } }];
}

/** Undefined for anything but an object; members that are null go, and a `_meta` that is no object; everything else stays as it is. */
function toMembers(value: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const members = withoutNulls(value);
  const meta = ownValue(members, "_meta");
  return meta === undefined || isJsonObject(meta) ? members : without(members, "_meta");
}

function without(object: JsonObject, unwanted: string): JsonObject {
  return toJsonObject(Object.entries(object).filter(([key]) => key !== unwanted));
}

function toRpcError(error: JsonValue): JsonObject {
  const fields = isJsonObject(error) ? error : { message: error };
  const { code, message, data } = withoutNulls(fields);
  return withoutUndefined({
    code: typeof code === "number" && Number.isInteger(code) ? code : INTERNAL_ERROR,
    message: typeof message === "string" ? message : "no message",
    data,
  });
}
