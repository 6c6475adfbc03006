/** Longer names get no suggestion: comparing takes time proportional to the product of both lengths. */
const LONGEST_NAME = 200;

/** The candidate that a misspelt name most likely means, or undefined where none is close: the same name spelled otherwise, then edit distance. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const folded = foldName(name);
  const same = candidates.find((candidate) => foldName(candidate) === folded);
  if (same !== undefined) return same;
  let best: string | undefined;
  let bestDistance = Math.floor((name.length + 1) / 3) + 1;
  for (const candidate of candidates) {
    const other = foldName(candidate);
    if (Math.abs(other.length - folded.length) >= bestDistance) continue;
    const distance = editDistance(folded, other);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/**
 * The tool that a name most likely means which is not there: the same name spelled otherwise, then the nearest by edit distance, then a longer or
 * shorter form of it, as `list_dir` is of `list_directory`. A tool whose name says that it writes is never meant by one that says that it reads.
 */
export function nearestTool(name: string, candidates: readonly string[]): string | undefined {
  const fitting = effectOf(name) === "reads" ? candidates.filter((other) => effectOf(other) !== "writes") : candidates;
  return nearestName(name, fitting) ?? nearestForm(name, fitting);
}

/** Verbs of tool names, by what they do. */
const VERBS: ReadonlyMap<string, "reads" | "writes"> = new Map([
  ...toVerbs("reads", "check count describe fetch find get list look peek query read search show view"),
  ...toVerbs(
    "writes",
    "add append archive cancel clear close create delete destroy drop edit erase exec execute insert kill merge move patch post publish purge push put " +
      "remove rename replace reset revoke run send set start stop submit transfer trash update upload upsert wipe write",
  ),
]);

function toVerbs<Effect extends string>(effect: Effect, verbs: string): (readonly [string, Effect])[] {
  return verbs.split(" ").map((verb) => [verb, effect] as const);
}

/** What the first verb of a name says that it does: `note_write` and `writeNote` write. */
function effectOf(name: string): "reads" | "writes" | undefined {
  const words = name.slice(0, LONGEST_NAME).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return words.map((word) => VERBS.get(word.toLowerCase())).find((effect) => effect !== undefined);
}

/** The candidate nearest in length of which one begins with the other, at most twice as long. */
function nearestForm(name: string, candidates: readonly string[]): string | undefined {
  const folded = foldName(name.slice(0, LONGEST_NAME));
  let best: string | undefined;
  let bestDifference = Infinity;
  for (const candidate of candidates) {
    const other = foldName(candidate);
    const difference = Math.abs(other.length - folded.length);
    if (difference < bestDifference && isFormOf(other, folded)) [best, bestDifference] = [candidate, difference];
  }
  return best;
}

/** One begins with the other, and is at most twice as long. */
function isFormOf(left: string, right: string): boolean {
  const [shorter, longer] = left.length < right.length ? [left, right] : [right, left];
  return shorter.length >= 4 && longer.startsWith(shorter) && longer.length <= 2 * shorter.length;
}

/** `read_file`, `readFile` and `read-file` are the same to a reader. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/[_\-. /:]/g, "");
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours, with three rows of the table kept. */
function editDistance(left: string, right: string): number {
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const substitution = at(row, j - 1) + (left[i - 1] === right[j - 1] ? 0 : 1);
      const isSwap = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const swap = isSwap ? at(before, j - 2) + 1 : Infinity;
      next.push(Math.min(substitution, swap, at(row, j) + 1, at(next, j - 1) + 1));
    }
    [before, row] = [row, next];
  }
  return at(row, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
