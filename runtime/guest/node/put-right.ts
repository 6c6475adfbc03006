import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { LinkFailure } from "./link-failure.ts";

/** JSON-RPC's "internal error". */
const INTERNAL_ERROR = -32603;

/**
 * The messages of a line in the form that JSON-RPC asks for. Real servers print banners, leave out `jsonrpc` or send
 * `"_meta": null`; none of that may end in a call that waits for its time-out.
 */
export function parseMessages(line: string): JSONRPCMessage[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [];
  }
  const entries = Array.isArray(value) ? (value as unknown[]) : [value];
  return entries.flatMap((entry) => (isObject(entry) ? [putRight(entry)] : [])) as unknown as JSONRPCMessage[];
}

function putRight(entry: Record<string, unknown>): object {
  const { id, method, params, error, result } = entry;
  if (typeof method === "string") return { jsonrpc: "2.0", id, method, params };
  if (error !== undefined && error !== null) return { jsonrpc: "2.0", id, error: toRpcError(error) };
  if (isObject(result)) return { jsonrpc: "2.0", id, result: withoutBadMeta(result) };
  // By reference: no server can send one that looks like it.
  const failure = new LinkFailure("protocol", "an answer without a result object");
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message: failure.message, data: failure } };
}

function toRpcError(error: unknown): object {
  const { code, message, data } = isObject(error) ? error : { message: error };
  return {
    code: Number.isInteger(code) ? code : INTERNAL_ERROR,
    message: typeof message === "string" ? message : "no message",
    data,
  };
}

function withoutBadMeta(result: Record<string, unknown>): Record<string, unknown> {
  if (!Object.hasOwn(result, "_meta") || isObject(result["_meta"])) return result;
  const { _meta: _, ...others } = result;
  return others;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
