/** One line of the results of a batch. */
interface ResultLine {
  line: number;
  ok: boolean;
  result?: unknown;
  diagnostics?: unknown;
}

export function parseLines(stdout: string): ResultLine[] {
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ResultLine);
}
