import { byCodeUnits } from "./canonical-json.ts";
import { type LockedServer, type LockedTool, type Lockfile } from "./lockfile.ts";

/** What differs between the accepted and the live snapshot of one server; all empty means no drift. */
export interface ServerChange {
  serverId: string;
  kind: "added" | "removed" | "changed";
  toolsAdded: string[];
  toolsRemoved: string[];
  toolsChanged: string[];
  /** The server's own texts: `serverInfo` or `instructions`. */
  selfChanged: boolean;
}

/** Lists what changed from `before` to `after`, sorted by server id. Servers that are equal are left out. */
export function diffLockfiles(before: Lockfile, after: Lockfile): ServerChange[] {
  const ids = [...new Set([...before.servers.keys(), ...after.servers.keys()])].toSorted(byCodeUnits);
  return ids.flatMap((id) => {
    const change = diffServer(id, before.servers.get(id), after.servers.get(id));
    return change === undefined ? [] : [change];
  });
}

/** The change of one server, or undefined where both sides have the same integrity. */
export function diffServer(
  serverId: string,
  before: LockedServer | undefined,
  after: LockedServer | undefined,
): ServerChange | undefined {
  if (before?.integrity === after?.integrity) return undefined;
  const old = new Map(before?.tools.map((tool) => [tool.name, tool]));
  const now = new Map(after?.tools.map((tool) => [tool.name, tool]));
  const change: ServerChange = {
    serverId,
    kind: before === undefined ? "added" : after === undefined ? "removed" : "changed",
    toolsAdded: namesOf(now, (tool) => !old.has(tool.name)),
    toolsRemoved: namesOf(old, (tool) => !now.has(tool.name)),
    toolsChanged: namesOf(now, (tool) => old.has(tool.name) && old.get(tool.name)?.integrity !== tool.integrity),
    selfChanged: false,
  };
  const toolsDiffer = change.toolsAdded.length + change.toolsRemoved.length + change.toolsChanged.length > 0;
  return { ...change, selfChanged: change.kind === "changed" && !toolsDiffer };
}

function namesOf(tools: ReadonlyMap<string, LockedTool>, isWanted: (tool: LockedTool) => boolean): string[] {
  return [...tools.values()].filter(isWanted).map((tool) => tool.name);
}
