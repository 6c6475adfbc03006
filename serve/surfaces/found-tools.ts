import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import type { FoundTool } from "../../engine/search-tools.ts";

/** The tools of each server together where one server has most of them; otherwise as they are. The servers keep the order of their best matches. */
export function groupByServer(found: readonly FoundTool[]): FoundTool[] {
  const groups = new Map<LockedServer, FoundTool[]>();
  for (const match of found) groups.set(match.server, [...(groups.get(match.server) ?? []), match]);
  const isDominated = [...groups.values()].some(({ length }) => length > found.length / 2);
  return isDominated ? [...groups.values()].flat() : [...found];
}

/** Texts of tools, the import before each that comes from another server than the one above it. */
export function printUnderImports(found: readonly FoundTool[], texts: readonly string[]): string {
  const blocks = found.map(({ server }, position) => {
    const isFirst = found[position - 1]?.server !== server;
    return `${isFirst ? `\n// from "@codemode/servers/${server.id}"\n` : ""}${texts[position]}`;
  });
  return blocks.join("\n");
}
