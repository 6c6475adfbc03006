// What stands between the marks of README.md and of pages in docs/, made of the files where it was measured or generated.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { printNumber } from "../../bench/suite/print-results.js";
import { PROGRAMS, WORK, compareWork } from "./compared-work.js";
import { printCapacity, printFleet } from "./print-capacity.js";
import { readResults } from "./read-results.js";

/** @type {{ [name: string]: (root: string) => Promise<string> }} */
export const TABLES = {
  binding: printBinding,
  examples: printExamples,
  compared: printCompared,
  capacity: printCapacity,
  fleet: printFleet,
};

const BINDING = "generated/memory/tools/search_nodes.d.ts";

async function printBinding(root) {
  const [, ...lines] = (await readFile(join(root, BINDING), "utf8")).split("\n");
  return `\`\`\`ts\n${lines.join("\n").trim()}\n\`\`\``;
}

const COUNTED = ["calls", "plain tool calls", "script", "answer", "script and answer"];

/** The programs of which tokens were counted. */
async function printExamples(root) {
  const rows = readTable(await readFile(join(root, "examples/README.md"), "utf8"), "<!-- measured -->");
  return printTable(
    ["example", ...COUNTED],
    rows
      .filter(({ calls }) => Number(calls) > 0)
      .slice(0, 3)
      .map((row) => [row["example"].replace("](", "](examples/"), ...COUNTED.map((column) => row[column])]),
  );
}

/** Medians of each program by kind of work, below the picture of the same. */
async function printCompared(root) {
  const values = compareWork(await readResults(root));
  const rows = WORK.map(({ label, unit }, index) => [
    unit === "" ? label : `${label}, ${unit}`,
    ...values[index].map((value) => (value === undefined ? "–" : printNumber(value))),
  ]);
  return printTable(["", ...PROGRAMS.map(({ label }) => label)], rows);
}

/** The rows of the first table behind a line that begins with `mark`, by the heads of their columns. */
function readTable(text, mark) {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith(mark));
  if (start === -1) throw new Error(`There is no "${mark}".`);
  const first = lines.findIndex((line, index) => index > start && line.startsWith("|"));
  const end = lines.findIndex((line, index) => index > first && !line.startsWith("|"));
  const [head, , ...rows] = lines.slice(first, end === -1 ? undefined : end).map(toCells);
  return rows.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index]])));
}

function toCells(line) {
  return line
    .slice(1, line.lastIndexOf("|"))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** The first column is text, the others are numbers. */
function printTable(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}
