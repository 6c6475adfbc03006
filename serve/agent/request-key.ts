import { createHash } from "node:crypto";
import type { CallToolRequest, ServerContext } from "@modelcontextprotocol/server";
import { canonicalJson } from "../../schemas/json/canonical-json.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { isRunKey, RUN_KEY_META } from "../../schemas/run/run-key.ts";

/** The key of the arguments, or else of `_meta`; what is wrong with it is said by the surface. */
export function readKey({ arguments: input }: CallToolRequest["params"], context: ServerContext): string | undefined {
  const key = input?.["key"];
  return typeof key === "string" && isRunKey(key) ? key : readRunKey(context);
}

/** A digest of what a run is to do: another key does not change it. */
export function workDigest({ name, arguments: { key: _, ...input } = {} }: CallToolRequest["params"]): string {
  return requestDigest([name, canonicalJson(input as JsonValue)]);
}

export function requestDigest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}

/** A value that is not a key is ignored, as `_meta` is: the answer holds the key of the run. */
export function readRunKey({ mcpReq }: ServerContext): string | undefined {
  const key = mcpReq._meta?.[RUN_KEY_META];
  return typeof key === "string" && isRunKey(key) ? key : undefined;
}
