import { appendFile, readFile } from "node:fs/promises";
import { HOW } from "./machine.ts";

/** The way from a page to the first result of a script over a server of one's own. */
export interface Figure {
  story: string;
  /** Of machine time; what a person needs to read and type is not in it. */
  seconds: number;
  /** Typed into a shell. */
  lines: number;
}

export function writeFigure(file: string, figure: Figure): Promise<void> {
  return appendFile(file, `${JSON.stringify(figure)}\n`);
}

/** Prints what the tests wrote, as a table. */
export async function printFigures(file: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => "");
  const figures = text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Figure]));
  const rows = figures
    .toSorted((left, right) => (left.story < right.story ? -1 : 1))
    .map(({ story, seconds, lines }) => [story, seconds.toFixed(1), String(lines)]);
  const table = [["to a first result", "seconds", "typed lines"], ...rows].map(
    ([story = "", seconds = "", lines = ""]) => [story.padEnd(44), seconds.padStart(8), lines.padStart(12)].join(""),
  );
  process.stdout.write(`\n${[`Machine: ${HOW}`, ...table].join("\n")}\n`);
}
