/** The part of the results that may be of one server while others match too, and how many may be in any case. */
const LARGEST_PART = 0.6;
const ALWAYS = 6;

/**
 * The first of ranked tools, in their order, but not all of one server: a large server that matches every word a little would hide the one tool of
 * another that is meant.
 */
export function spreadServers<Place extends { serverId: string }>(ranked: readonly Place[], limit: number): Place[] {
  const most = Math.max(ALWAYS, Math.ceil(limit * LARGEST_PART));
  const counts = new Map<string, number>();
  const taken: Place[] = [];
  const others: Place[] = [];
  for (const place of ranked) {
    if (taken.length >= limit) break;
    const count = counts.get(place.serverId) ?? 0;
    counts.set(place.serverId, count + 1);
    (count < most ? taken : others).push(place);
  }
  return [...taken, ...others].slice(0, limit);
}
