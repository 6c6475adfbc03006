/**
 * Compares what a command printed with what a page shows, and says where they part; nothing where they do not. In the page `...` on a line of its own is any
 * number of lines, and inside of a line any text. White space at the end of lines counts for nothing.
 */
export function matchOutput(shown: string, printed: string): string | undefined {
  const expected = toLines(shown);
  const actual = toLines(printed);
  let furthest = 0;
  const matches = (at: number, from: number): boolean => {
    furthest = Math.max(furthest, at);
    const line = expected[at];
    if (line === undefined) return from === actual.length;
    if (line.trim() === "...") {
      for (let next = from; next <= actual.length; next += 1) if (matches(at + 1, next)) return true;
      return false;
    }
    const found = actual[from];
    return found !== undefined && toPattern(line).test(found) && matches(at + 1, from + 1);
  };
  if (matches(0, 0)) return undefined;
  const missed = expected[furthest];
  const where =
    missed === undefined ? "more was printed than is shown" : `nothing fits the line ${JSON.stringify(missed)}`;
  return `${where}. Printed:\n${actual.join("\n")}`;
}

function toLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

function toPattern(line: string): RegExp {
  const parts = line.split("...").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "u");
}
