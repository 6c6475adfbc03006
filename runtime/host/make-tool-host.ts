import { toReply as toGuestReply } from "@codemode/runtime/reply-of-result";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { ToolCall, ToolReply } from "../../schemas/lock/tools.ts";
import { DISCOVERY } from "./discovery/make-discovery.ts";
import type { PatientDiscovery } from "./discovery/with-scripts.ts";
import { printedContent } from "@codemode/runtime/connections/printed-content";
import { makeToolCaller, type ToolCallerOptions } from "./make-tool-caller.ts";
import type { ToolHost } from "./tool-host.ts";

/** What one run may call, and by what it is called. */
export interface ToolHostOptions extends ToolCallerOptions {
  /** Answers what scripts ask about the tools that there are. */
  discover: PatientDiscovery;
}

/** The host side of every call: what the sandbox says of itself is worth nothing, so all is checked here again. */
export function makeToolHost(options: ToolHostOptions): ToolHost {
  const callTool = makeToolCaller(options);
  return {
    async call(call, signal) {
      if (call.serverId === DISCOVERY) return options.discover(call.toolName, call.input);
      const outcome = await callTool(call, signal);
      return outcome.ok ? toReply(outcome.result, call) : outcome;
    },
    async callRaw(call, signal) {
      if (call.serverId === DISCOVERY) return options.discover(call.toolName, call.input);
      const outcome = await callTool(call, signal, true);
      if (!outcome.ok) return outcome;
      const { result, checkLater } = outcome;
      const json = printedContent(result);
      return json === undefined || checkLater === undefined ? toReply(result, call) : { ok: true, json, checkLater };
    },
  };
}

/** A result as the binding returns it (specification 5.3.2), or the error that it throws where the tool failed. */
export function toReply(result: JsonObject, call: Omit<ToolCall, "input">): ToolReply {
  return toGuestReply(result, call) as ToolReply;
}
