import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { extraContent } from "@codemode/runtime/reply-of-result";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import type { CallChange, ToolCall, ToolReply } from "../../schemas/lock/tools.ts";
import type { DiscoveryWithScripts } from "./discovery/with-scripts.ts";
import { refused } from "./checks/refuse.ts";
import { DISCOVERY, RESULTS } from "../sandbox/pool/host-subjects.ts";
import { decodeUtf8 } from "@codemode/runtime/connections/decode-text";
import { printedContent, printedDepth } from "@codemode/runtime/connections/printed-content";
import { MAX_DEPTH, parseForeignJson } from "../../schemas/json/foreign-json.ts";
import { makeToolCaller, type ToolCallerOptions, type ToolOutcome } from "./make-tool-caller.ts";
import { toHostReply } from "./to-reply.ts";
import type { PrintedReply, ToolHost } from "../sandbox/pool/tool-call-dispatcher.ts";

/** What one run may call, and by what it is called. */
export interface ToolHostOptions extends ToolCallerOptions {
  /** Answers what scripts ask about the tools that there are. */
  discover: DiscoveryWithScripts;
  /** The JSON text of an earlier result of the same client, in UTF-8. */
  readResult?: ((id: string) => Buffer | undefined) | undefined;
}

/** The host side of every call: what the sandbox says of itself is worth nothing, so all is checked here again. */
export function makeToolHost(options: ToolHostOptions): ToolHost {
  const callTool = makeToolCaller(options);
  const readResult = (id: string): PrintedReply | ToolReply => {
    const json = options.readResult?.(id);
    if (json !== undefined) return { ok: true, json, checkLater: () => undefined };
    return refused("ToolCallError", "There is no such result any more.", "Run the script that returned it again.");
  };
  return {
    async call(call, signal, onSign) {
      if (call.serverId === DISCOVERY) return options.discover(call.toolName, call.input);
      if (call.serverId === RESULTS) return parseReply(readResult(call.toolName));
      const outcome = await callTool(call, signal, { onSign });
      return outcome.ok ? withChange(toHostReply(outcome.result, call, outcome.hint), outcome.changed) : outcome;
    },
    callRaw(call, signal, onSign) {
      if (call.serverId === DISCOVERY) return Promise.resolve(options.discover(call.toolName, call.input));
      if (call.serverId === RESULTS) return Promise.resolve(readResult(call.toolName));
      return callTool(call, signal, { leavesText: true, onSign }).then((outcome) => toRawReply(outcome, call));
    },
  };
}

function toRawReply(outcome: ToolOutcome, call: ToolCall): PrintedReply | ToolReply {
  if (!outcome.ok) return outcome;
  const { result, checkLater, changed } = outcome;
  const json = printedContent(result);
  if (json === undefined || checkLater === undefined)
    return withChange(toHostReply(result, call, outcome.hint), changed);
  const content = extraContent(result) as JsonValue[];
  return {
    ok: true,
    json,
    checkLater,
    value: () => readContent(result),
    ...withoutUndefined({ content: content.length > 0 ? content : undefined, changed }),
  };
}

function withChange(reply: ToolReply, changed: CallChange | undefined): ToolReply {
  return changed === undefined || !reply.ok ? reply : { ...reply, changed };
}

function readContent(result: JsonObject): JsonValue | undefined {
  if (printedDepth(result) > MAX_DEPTH) return undefined;
  try {
    return result["structuredContent"];
  } catch {
    return undefined;
  }
}

/** A result is text of a sandbox's making, which nothing has parsed yet. */
function parseReply(reply: PrintedReply | ToolReply): ToolReply {
  if (!("json" in reply)) return reply;
  const value = parseForeignJson(decodeUtf8(reply.json));
  return value === undefined
    ? refused("ToolCallError", "The result is no JSON.", "Return another one.")
    : { ok: true, value };
}
