/** Tells whether a name matches one of the patterns, where `*` stands for any characters and `?` for one. */
export function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matches(name, pattern));
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
