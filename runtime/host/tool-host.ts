import type { ToolCall, ToolReply } from "../../schemas/tools.ts";

/** Checks and performs the calls of one run. It never throws: what goes wrong is a reply. */
export interface ToolHost {
  call(call: ToolCall, signal: AbortSignal): Promise<ToolReply>;
}
