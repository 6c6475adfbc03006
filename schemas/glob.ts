/** Tells whether a name matches one of the patterns, where `*` stands for any characters and `?` for one. */
export function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => toRegExp(pattern).test(name));
}

function toRegExp(pattern: string): RegExp {
  // Runs of stars are one star: several in a row would make the match exponential.
  const source = pattern
    .replace(/\*+/g, "*")
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "su");
}
