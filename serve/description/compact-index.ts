import type { LockedServer } from "../../schemas/lock/lockfile.ts";

/** Servers in few words. */
export interface CompactIndex {
  text: string;
  /** Whether it has the name of every tool. */
  namesAll: boolean;
}

/**
 * Names servers in few words: each with the names of its tools while there is room, else with the number of them, else alone.
 * One line for each server whose tools are named, and one for all others. Ids and export names are identifiers,
 * so that nothing in them can begin a line.
 * @param room characters that the index may take
 */
export function printCompactIndex(servers: readonly LockedServer[], room: number): CompactIndex {
  const counted = new Map(servers.map((server) => [server, `${server.id} ${server.tools.length}`]));
  if (lengthOf([...counted.values()]) > room) return { text: printIds(servers, room), namesAll: false };
  const lines = new Map<LockedServer, string>();
  let left = room - lengthOf([...counted.values()]);
  for (const [server, text] of counted) {
    const { id, tools } = server;
    const line = `${id}: ${tools.map(({ exportName }) => exportName).join(", ")}`;
    const cost = line.length - text.length;
    if (tools.length === 0 || cost > left) continue;
    left -= cost;
    lines.set(server, line);
    counted.delete(server);
  }
  return {
    text: [...lines.values(), ...(counted.size > 0 ? [[...counted.values()].join(", ")] : [])].join("\n"),
    namesAll: [...counted.keys()].every(({ tools }) => tools.length === 0),
  };
}

const SEPARATOR = ", ".length;

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + SEPARATOR, 0);
}

function printIds(servers: readonly LockedServer[], room: number): string {
  const printRest = (rest: number): string => `and ${rest} more of ${servers.length} servers`;
  if (lengthOf(servers.map(({ id }) => id)) <= room) return servers.map(({ id }) => id).join(", ");
  let left = room - printRest(servers.length).length;
  const shown = servers.filter(({ id }) => {
    left -= id.length + SEPARATOR;
    return left >= 0;
  });
  return [...shown.map(({ id }) => id), printRest(servers.length - shown.length)].join(", ");
}
