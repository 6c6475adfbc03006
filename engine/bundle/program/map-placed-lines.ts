/** A line of code, and the line of a module (from 0) that it was; one of the bundler's own has none. */
export interface PlacedLine {
  text: string;
  place?: { source: string; line: number } | undefined;
}

/**
 * Puts lines in front of those of a source map (ECMA-426). The last of them has no place.
 *
 * @returns the mappings and the names of all sources, those of the lines after those that were there
 */
export function mapPlacedLines(
  { mappings, sources }: { mappings: string; sources: readonly string[] },
  lines: readonly PlacedLine[],
): { mappings: string; sources: string[] } {
  const indexes = new Map(sources.map((source, index) => [source, index]));
  const last = { source: 0, line: 0 };
  /** One segment, for the whole of a line: each number is the distance to that of the segment before. */
  const segment = (source: number, line: number): string => {
    const printed = `A${printVlq(source - last.source)}${printVlq(line - last.line)}A`;
    Object.assign(last, { source, line });
    return printed;
  };
  const printed = lines.map(({ place }) => {
    if (place === undefined) return "";
    const index = indexes.get(place.source) ?? indexes.size;
    indexes.set(place.source, index);
    return segment(index, place.line);
  });
  // What follows is counted from the beginning again.
  printed[printed.length - 1] = segment(0, 0);
  return { mappings: `${printed.join(";")};${mappings}`, sources: [...indexes.keys()] };
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Five bits a digit, the lowest first; the sixth says that more follow, and the lowest bit of all is the sign. */
function printVlq(value: number): string {
  let left = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = "";
  do {
    const digit = left & 31;
    left >>>= 5;
    text += BASE64[left > 0 ? digit | 32 : digit];
  } while (left > 0);
  return text;
}
