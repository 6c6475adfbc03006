/** Longer names get no suggestion: comparing takes time proportional to the product of both lengths. */
const LONGEST_NAME = 200;

/** The candidate that a misspelt name most likely means, or undefined where none is close (edit distance). */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const allowed = Math.floor((name.length + 1) / 3);
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(fold(name), fold(candidate));
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** `read_file`, `readFile` and `read-file` are the same to a reader. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[_\-. ]/g, "");
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours, with three rows of the table kept. */
function editDistance(left: string, right: string): number {
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const substitution = at(row, j - 1) + (left[i - 1] === right[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
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
