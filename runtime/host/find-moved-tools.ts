import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { Manifest, ManifestTool } from "../../schemas/run/bundle.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { findOperation } from "../../schemas/lock/operations.ts";

/** The tools of a manifest that a lockfile no longer has as they were when the script was bundled, each as an error. */
export function findMovedTools({ tools }: Manifest, lockfile: Lockfile, hint: string): Diagnostic[] {
  return tools.flatMap((tool) => {
    const what = describeMove(tool, lockfile);
    if (what === undefined) return [];
    return [
      { severity: "error", code: "LOCK_DRIFT", message: `The bundle does not match the lockfile: ${what}.`, hint },
    ];
  });
}

function describeMove({ serverId, toolName, integrity }: ManifestTool, lockfile: Lockfile): string | undefined {
  const server = lockfile.servers.get(serverId);
  if (server === undefined) return `the lockfile has no server "${serverId}" any more`;
  const tool = findOperation(server, toolName);
  if (tool === undefined) return `the server "${serverId}" has no tool "${toolName}" any more`;
  return tool.integrity === integrity
    ? undefined
    : `the tool "${toolName}" of "${serverId}" has changed since it was bundled`;
}
