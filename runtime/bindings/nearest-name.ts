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
    const distance = editDistance(foldName(name), foldName(candidate));
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/**
 * The tool that a name most likely means which is not there. A longer or shorter form of the name is nearest, as `list_dir` is to `list_directory`; and a
 * tool whose name says that it writes is never meant by one that says that it reads.
 */
export function nearestTool(name: string, candidates: readonly string[]): string | undefined {
  const fitting = READS.test(name) ? candidates.filter((candidate) => !WRITES.test(candidate)) : candidates;
  const short = foldName(name.slice(0, LONGEST_NAME));
  const form = fitting.find((candidate) => isFormOf(foldName(candidate), short));
  return form ?? nearestName(name, fitting);
}

const READS = /^(?:check|count|describe|fetch|find|get|list|look|query|read|search|show|view)(?![a-z])/;
const WRITES =
  /^(?:add|append|close|create|delete|drop|edit|exec|execute|insert|kill|merge|move|patch|post|push|put|remove|rename|run|send|set|start|stop|update|write)(?![a-z])/;

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
