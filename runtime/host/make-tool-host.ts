import { DISCOVERY } from "./discovery/make-discovery.ts";
import type { PatientDiscovery } from "./discovery/with-scripts.ts";
import { printedContent } from "@codemode/runtime/connections/printed-content";
import { makeToolCaller, type ToolCallerOptions } from "./make-tool-caller.ts";
import { toReply } from "./to-reply.ts";
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
