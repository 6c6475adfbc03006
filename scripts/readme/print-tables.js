// What stands between the marks of README.md and of pages in docs/, made of the files where it was measured or generated.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { printFloors } from "../../bench/suite/print-floors.js";
import { printNumber, printTargets } from "../../bench/suite/print-results.js";
import { printCapacity, printFleet } from "./print-capacity.js";
import { readResults } from "./read-results.js";

/** @type {{ [name: string]: (root: string) => Promise<string> }} */
export const TABLES = {
  binding: printBinding,
  examples: printExamples,
  latency: printLatency,
  targets: printTargetTable,
  floors: async (root) => printFloors(await readResults(root)),
  capacity: printCapacity,
  fleet: printFleet,
};

const BINDING = "generated/memory/tools/search_nodes.d.ts";

async function printBinding(root) {
  const [, ...lines] = (await readFile(join(root, BINDING), "utf8")).split("\n");
  return `\`\`\`ts\n${lines.join("\n").trim()}\n\`\`\``;
}

/** The programs of which tokens were counted. */
async function printExamples(root) {
  const rows = readTable(await readFile(join(root, "examples/README.md"), "utf8"), "<!-- measured -->");
  return printTable(
    ["example", "calls", "stayed in the sandbox", "came back"],
    rows
      .filter(({ calls }) => Number(calls) > 0)
      .slice(0, 3)
      .map((row) => [
        row["example"].replace("](", "](examples/"),
        row["calls"],
        row["stayed in the sandbox"],
        row["came back"],
      ]),
  );
}

/** Medians in milliseconds: a process from its start to its first result, and runs of one call in one that is there. */
async function printLatency(root) {
  const tables = (await readResults(root)).sections.flatMap((section) => section.tables);
  const columns = ["start.cold", "warm.new", "warm.seen"].map((id) => {
    const rows = tables.find((table) => table.id === id)?.rows ?? [];
    return new Map(rows.map(({ name, values }) => [name, values?.ms?.value]));
  });
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))].filter((name) => !isLeftOut(name));
  const rows = names
    .map((name) => [name, ...columns.map((column) => toMilliseconds(column.get(name)))])
    .filter(([, ...cells]) => cells.some((cell) => cell !== ""));
  const table = printTable(["", "from nothing", "a new script", "a script seen before"], rows);
  return `${table}\n\n[Performance](performance.md) has targets and history, [bench/RESULTS.md](../bench/RESULTS.md) the library, spread, CPU time, throughput and memory.`;
}

/** The page is short and compares programs that are used: the others are in docs/performance.md and RESULTS.md. */
function isLeftOut(name) {
  return name.startsWith("floor") || name.startsWith("codemode library") || name.startsWith("codemode run, ");
}

/** Contenders that could not be opened have no value. */
function toMilliseconds(value) {
  return value === undefined ? "" : `${printNumber(value)} ms`;
}

async function printTargetTable(root) {
  const results = await readResults(root);
  const kind = results.isQuick ? "A quick run" : "A run";
  return `${kind} of ${results.date} at commit ${results.commit}: ${results.machine}.\n\n${printTargets(results)}`;
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
