// What the import `#caller` means in a sandbox, a browser or a worker. In Node it means node/caller.ts.

import { CodemodeError } from "./errors.ts";
import { type PerformTool, findRegistered } from "./registered-callers.ts";
import type { SentReply } from "./reply.ts";

/** Finds the caller for the tools of a server. Throws `CodemodeError` if there is none. */
export function findCaller(serverId: string): PerformTool {
  const caller = findRegistered(serverId) ?? findSandboxCaller();
  if (caller !== undefined) return caller;
  throw new CodemodeError(`No caller is set for the tools of "${serverId}".`, {
    hint: 'Run the script with `codemode run SCRIPT`, or give a caller: connect({ call }) of "@codemode/runtime/connect".',
  });
}

/** How calls leave a sandbox: names and input as JSON text in, a `ToolReply` as JSON text out. */
type SandboxCall = (serverId: string, toolName: string, inputJson: string) => Promise<string>;

/** The caller that a codemode sandbox gives to its scripts; undefined anywhere else. */
export function findSandboxCaller(): PerformTool | undefined {
  const call = (globalThis as { __codemode_call__?: SandboxCall }).__codemode_call__;
  if (call === undefined) return undefined;
  return async (tool, inputJson) => JSON.parse(await call(tool.serverId, tool.toolName, inputJson)) as SentReply;
}
