// What the import `#caller` means in Node. Everything that a call needs is loaded on the first call.

import { findSandboxCaller } from "../caller.ts";
import { type PerformTool, findRegistered } from "../registered-callers.ts";
import { assertSupportedNode } from "./supported-node.ts";

assertSupportedNode();

/** Finds who performs the calls of a server's tools: a connection made in code, a sandbox, or the nearest configuration. */
export function findCaller(serverId: string): PerformTool {
  return findRegistered(serverId) ?? findSandboxCaller() ?? callByConfiguration;
}

const callByConfiguration: PerformTool = async (tool, inputJson) => {
  const { callByNearestConfiguration } = await import("./nearest-configuration.ts");
  return callByNearestConfiguration(tool, inputJson);
};
