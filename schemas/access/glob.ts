/**
 * Tells whether a name matches one of the patterns, where `*` stands for any characters and `?` for one. Both are compared in one normal form
 * (NFC): `é` of one and of two characters look the same to who writes the pattern.
 */
export function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => pattern === "*" || matches(name.normalize(), pattern.normalize()));
}

/**
 * Names and patterns may both be a stranger's, and a regular expression of many stars takes for ever. Here only the last star is
 * ever given another share: what an earlier one left over can be no worse for it.
 */
function matches(name: string, pattern: string): boolean {
  let at = 0;
  let star: { at: number; next: number } | undefined;
  let next = 0;
  while (at < name.length) {
    const wanted = pattern[next];
    if (wanted === "*") {
      star = { at, next: next + 1 };
      next += 1;
    } else if (wanted === "?" || (wanted !== undefined && wanted === name[at])) {
      at += wanted === "?" ? lengthAt(name, at) : 1;
      next += 1;
    } else if (star !== undefined) {
      star.at += lengthAt(name, star.at);
      at = star.at;
      next = star.next;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(next));
}

/** A character outside of the basic plane takes two units. */
function lengthAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

/** Tells whether one of the patterns matches any name that begins so. */
export function mayMatchAfter(start: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => reaches(Array.from(start.normalize()), Array.from(pattern.normalize())));
}

/** Follows all places of the pattern that the start can lead to; a place beyond a star is one of them. */
function reaches(start: readonly string[], pattern: readonly string[]): boolean {
  const skipStars = (places: ReadonlySet<number>): Set<number> => {
    const all = new Set(places);
    // A set that grows while it is walked is walked to its end.
    for (const place of all) if (pattern[place] === "*") all.add(place + 1);
    return all;
  };
  let places = skipStars(new Set([0]));
  for (const character of start) {
    const next = new Set<number>();
    for (const place of places) {
      if (pattern[place] === "*") next.add(place);
      else if (pattern[place] === "?" || pattern[place] === character) next.add(place + 1);
    }
    if (next.size === 0) return false;
    places = skipStars(next);
  }
  return true;
}
