/**
 * Whether one name is the other with one slip of the keyboard: two letters swapped, or in one word a letter left out, added or replaced. Names
 * that differ by more, or in short words such as `at` and `by`, may well both exist.
 */
export function isMisspelling(written: string, known: string): boolean {
  const [left, right] = [wordsOf(written), wordsOf(known)];
  const slip = findSlip(left.join(""), right.join(""));
  if (slip === "none" || slip === "swap") return true;
  const slips = left.map((word, index) => findSlip(word, right[index] ?? "")).filter((kind) => kind !== "none");
  return left.length === right.length && slips.length === 1 && slips[0] !== undefined;
}

/** `readFile` and `read_file` have the same words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
}

const SHORTEST_WITH_ONE_MORE = 4;
/** `date` and `data` are both names. */
const SHORTEST_WITH_ANOTHER = 5;

/** How the words differ; undefined where they are two words. */
function findSlip(written: string, known: string): "none" | "swap" | "letter" | undefined {
  if (written === known) return "none";
  const shortest = Math.min(written.length, known.length);
  let start = 0;
  while (start < shortest && written[start] === known[start]) start += 1;
  let end = 0;
  while (end < shortest - start && written.at(-1 - end) === known.at(-1 - end)) end += 1;
  const [left, right] = [written.slice(start, written.length - end), known.slice(start, known.length - end)];
  // `part1` and `part2` are two names.
  if (/\d/.test(left + right)) return undefined;
  if (left.length === 2 && right === `${left.charAt(1)}${left.charAt(0)}`) return "swap";
  if (left.length > 1 || right.length > 1) return undefined;
  if (left !== "" && right !== "") return shortest >= SHORTEST_WITH_ANOTHER ? "letter" : undefined;
  const isDoubled = (left || right) === known[start - 1];
  return isDoubled || shortest >= SHORTEST_WITH_ONE_MORE ? "letter" : undefined;
}
