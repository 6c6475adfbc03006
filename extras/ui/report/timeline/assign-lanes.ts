/** A span of time, in milliseconds. */
export interface Span {
  startMs: number;
  endMs: number;
}

/**
 * Puts spans that overlap side by side: gives the lane of each, from 0, and how many lanes there are. Spans come in the order of
 * their starts; each goes to the first lane that is free, so spans which follow each other stand in one line.
 */
export function assignLanes(spans: readonly Span[], maxLanes: number): { lanes: number[]; laneCount: number } {
  const freeFrom: number[] = [];
  const lanes = spans.map(({ startMs, endMs }, index) => {
    const free = freeFrom.findIndex((end) => end <= startMs);
    // Calls beyond the distinguishable lanes overlap.
    const lane = free >= 0 ? free : freeFrom.length < maxLanes ? freeFrom.length : index % maxLanes;
    freeFrom[lane] = Math.max(freeFrom[lane] ?? 0, endMs);
    return lane;
  });
  return { lanes, laneCount: Math.max(1, freeFrom.length) };
}
