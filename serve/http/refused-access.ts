import type { IncomingMessage } from "node:http";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { AccessRefusedFacts } from "../../schemas/run/events.ts";

/** Receives each request that has no token that is known at a place. */
export type OnRefused = (place: AccessRefusedFacts["place"], incoming: IncomingMessage) => void;

const WINDOW_MS = 1000;
/** Who tries tokens out must not fill the log: in each second so many are reported by themselves, and the others together at its end. */
const MOST_ALONE = 20;
/** Of addresses that are counted separately in a second. */
const MOST_ADDRESSES = 100;

/** Reports refused requests; none is left out. Nothing of a token is in a report. */
export function makeRefusedAccess(report: (facts: AccessRefusedFacts) => void): OnRefused {
  const together = new Map<string, AccessRefusedFacts>();
  let alone = 0;
  let window: NodeJS.Timeout | undefined;
  const end = (): void => {
    window = undefined;
    alone = 0;
    for (const facts of together.values()) report(facts);
    together.clear();
  };
  return (place, { headers, socket: { remoteAddress } }) => {
    window ??= setTimeout(end, WINDOW_MS).unref();
    const token = headers.authorization === undefined ? "missing" : "unknown";
    const from = together.size < MOST_ADDRESSES ? remoteAddress : undefined;
    const facts = { place, token, ...withoutUndefined({ from }), count: 1 } as const;
    alone += 1;
    if (alone <= MOST_ALONE) return report(facts);
    const key = JSON.stringify([place, token, from]);
    together.set(key, { ...facts, count: (together.get(key)?.count ?? 0) + 1 });
  };
}
