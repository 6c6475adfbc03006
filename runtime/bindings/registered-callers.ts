import type { SentReply } from "./reply.ts";

/** What a caller may know of the tool that it calls. */
export interface CalledTool {
  serverId: string;
  /** The canonical MCP tool name. */
  toolName: string;
  /** Of the definition that the binding was generated from, as the lockfile has it. */
  integrity?: string;
}

/** Performs a call; the input is JSON text. What it throws, the binding throws. */
export type PerformTool = (tool: CalledTool, inputJson: string) => Promise<SentReply>;

interface Registration {
  serves: (serverId: string) => boolean;
  caller: PerformTool;
}

/** Callers that were given in code, the newest last. */
let registrations: readonly Registration[] = [];

/** Registers a caller for the servers that it serves; gives the way to take it back. */
export function registerCaller(registration: Registration): () => void {
  registrations = [...registrations, registration];
  return () => {
    registrations = registrations.filter((other) => other !== registration);
  };
}

/** The newest caller that serves the server. */
export function findRegistered(serverId: string): PerformTool | undefined {
  return registrations.findLast(({ serves }) => serves(serverId))?.caller;
}
