import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { estimateTokens } from "../../schemas/text/estimate-tokens.ts";

/**
 * Names servers in few words: each with the number of its tools, or with the names of them all while there is room.
 * One line for each server whose tools are named, and one for all others. Ids and export names are identifiers,
 * so that nothing in them can begin a line.
 * @param budget tokens that the index may take
 */
export function printCompactIndex(servers: readonly LockedServer[], budget: number): string {
  const places = servers.map((server) => ({ server, text: `${server.id} ${server.tools.length}`, isNamed: false }));
  let left = budget - estimateTokens(printRest(servers.length, servers.length));
  const shown = places.filter(({ text }) => {
    const cost = estimateTokens(`, ${text}`);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
  for (const place of shown) {
    const { id, tools } = place.server;
    // Each name costs two tokens at least: of a long list nothing needs to be put together.
    if (tools.length * 2 > left) continue;
    const text = `${id}: ${tools.map(({ exportName }) => exportName).join(", ")}`;
    const cost = estimateTokens(`${text}\n`) - estimateTokens(`, ${place.text}`);
    if (cost > left) continue;
    left -= cost;
    Object.assign(place, { text, isNamed: true });
  }
  const named = shown.filter(({ isNamed }) => isNamed).map(({ text }) => text);
  const counted = shown.filter(({ isNamed }) => !isNamed).map(({ text }) => text);
  const rest = servers.length - shown.length;
  return [
    ...named,
    ...(counted.length > 0 ? [`${counted.join(", ")}${rest > 0 ? printRest(rest, servers.length) : ""}`] : []),
  ].join("\n");
}

function printRest(rest: number, all: number): string {
  return `, and ${rest} more of ${all} servers`;
}
