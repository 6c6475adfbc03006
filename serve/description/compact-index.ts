import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { costOf, fits, type Room, without } from "./room.ts";

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
 */
export function printCompactIndex(servers: readonly LockedServer[], room: Room): CompactIndex {
  const counted = new Map(servers.map((server) => [server, `${server.id} ${server.tools.length}`]));
  let left = without(room, costOf([...counted.values()].join(SEPARATOR)));
  if (!fits(NOTHING, left)) return { text: printIds(servers, room), namesAll: false };
  const lines: string[] = [];
  for (const [server, text] of counted) {
    const { tools } = server;
    // Of a long list nothing needs to be put together.
    if (tools.length === 0 || tools.length * LEAST_NAME > left.chars) continue;
    const line = printNames(server);
    const cost = without(costOf(`${line}\n`), costOf(text));
    if (!fits(cost, left)) continue;
    left = without(left, cost);
    lines.push(line);
    counted.delete(server);
  }
  return {
    text: [...lines, ...(counted.size > 0 ? [[...counted.values()].join(SEPARATOR)] : [])].join("\n"),
    namesAll: [...counted.keys()].every(({ tools }) => tools.length === 0),
  };
}

/** Resources and prompts of servers, a line for each that fits: discovery names the others. */
export function printModules(modules: readonly LockedServer[], room: Room): string[] {
  let left = room;
  return modules.flatMap((module) => {
    const line = printNames(module);
    const cost = costOf(`\n${line}`);
    if (!fits(cost, left)) return [];
    left = without(left, cost);
    return [line];
  });
}

function printNames({ id, tools }: LockedServer): string {
  return `${id}: ${tools.map(({ exportName }) => exportName).join(SEPARATOR)}`;
}

const NOTHING: Room = { chars: 0, tokens: 0 };
const SEPARATOR = ", ";
const LEAST_NAME = SEPARATOR.length + 1;

function printIds(servers: readonly LockedServer[], room: Room): string {
  const ids = servers.map(({ id }) => id);
  const all = ids.join(SEPARATOR);
  if (fits(costOf(all), room)) return all;
  const printRest = (rest: number): string => `and ${rest} more of ${servers.length} servers`;
  let left = without(room, costOf(printRest(servers.length)));
  const shown = ids.filter((id) => {
    left = without(left, costOf(`${id}${SEPARATOR}`));
    return fits(NOTHING, left);
  });
  return [...shown, printRest(servers.length - shown.length)].join(SEPARATOR);
}
