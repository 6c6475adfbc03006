import type { Caller } from "./registered-callers.ts";
import type { ToolReply } from "./reply.ts";

/** How calls leave a sandbox: names and input as JSON text in, a `ToolReply` as JSON text out. */
type SandboxCall = (serverId: string, toolName: string, inputJson: string) => Promise<string>;

/** The caller that a codemode sandbox gives to its scripts; undefined anywhere else. */
export function findSandboxCaller(): Caller | undefined {
  const call = (globalThis as { __codemode_call__?: SandboxCall }).__codemode_call__;
  if (call === undefined) return undefined;
  return async (tool, inputJson) => JSON.parse(await call(tool.serverId, tool.toolName, inputJson)) as ToolReply;
}
