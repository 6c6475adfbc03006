// What stands between the marks of README.md, made of the pages where it was measured or generated.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** @type {{ [name: string]: (root: string) => Promise<string> }} */
export const TABLES = {
  binding: printBinding,
  examples: printExamples,
  tokens: printTokens,
  latency: printLatency,
  attacks: printAttacks,
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

async function printTokens(root) {
  const rows = readTable(await readFile(join(root, "docs/tokens.md"), "utf8"), "# What tool lists cost");
  return printTable(
    ["servers", "tools", "their own lists", "`codemode.run`"],
    rows.map((row) => [
      row["server"] === "all of them" ? row["package"] : row["server"],
      row["tools"],
      `${row["raw"]} tokens`,
      `${row["`run`"]} tokens`,
    ]),
  );
}

/** Medians in milliseconds: a process from its start to its first result, and runs of one call in one that is there. */
async function printLatency(root) {
  const file = join(root, "bench/RESULTS.md");
  if (!existsSync(file)) return "`npm run bench` writes `bench/RESULTS.md`, of which this table is made.";
  const text = await readFile(file, "utf8");
  const columns = ["### Cold: ", "### Never-seen script, one call", "### Seen script, one call"].map(
    (title) => new Map(readTable(text, title).map((row) => [row[""], row["median ms"]])),
  );
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const rows = names
    .map((name) => [name, ...columns.map((column) => toMilliseconds(column.get(name)))])
    .filter(([, ...cells]) => cells.some((cell) => cell !== ""));
  const table = printTable(["", "from nothing", "a new script", "a script seen before"], rows);
  return `${table}\n\nThe spread, larger scripts, throughput and memory are in [bench/RESULTS.md](bench/RESULTS.md).`;
}

/** Contenders that could not be opened have words there. */
function toMilliseconds(cell) {
  return cell !== undefined && Number.isFinite(Number.parseFloat(cell)) ? `${cell} ms` : "";
}

/** That none gets out is no number of a page: the tests of test/escape fail where one does. */
async function printAttacks(root) {
  const rows = readTable(await readFile(join(root, "docs/security.md"), "utf8"), "<!-- reference: attacks -->");
  const counts = new Map(rows.map((row) => [row["attacks by"], row["how many"]]));
  const themes = [...counts].filter(([theme]) => theme !== "all").map(([theme, count]) => `${theme} ${count}`);
  return printTable(["attacks by", "tried", "got out"], [[themes.join(", "), counts.get("all"), "0"]]);
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
