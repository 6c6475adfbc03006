import { printFloors } from "./print-floors.js";
import { evaluateTargets } from "./targets.js";
import { listFigures } from "./tables.js";

/** A number in three digits or so. */
export function printNumber(value) {
  if (value === undefined) return "";
  if (value >= 1000) return Math.round(value).toLocaleString("en");
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** A Markdown table; the first column is text, the others are numbers. */
function printTable(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

const FLOORS =
  "A floor is the least that a level can cost: a host, a process that waits and evaluates the script, and the same server, with frames of the same shape between them, and without a check, a limit or a promise (`bench/contenders/floor.js`). `codemode serve` has one process more than its floor. Further calls are held against it, and no longer against the SDK client, nor runs against mcp-use: these two have no sandbox process, so a call of theirs passes two processes and not three. The history is in [docs/targets.md](../docs/targets.md).";

/** RESULTS.md: everything of one run of the benchmarks. */
export function printResults(results) {
  const { date, commit, machine, minutes, isQuick, sections } = results;
  const kind = isQuick ? "`npm run bench -- --quick --write`, which takes few samples," : "`npm run bench`";
  const parts = [
    "# Benchmarks",
    `Written by ${kind} on ${date} at ${commit}: ${machine}, in ${minutes} minutes.`,
    "The contenders of a table take turns, so that other load of the machine affects them equally. Each runs in a process of its own and times itself there. Ratios are to the first line; in tables of runs that is the floor of the level `compartment`, where it was measured. Load is measured over the last minute: above 1.5 the machine was busy with something else as well.",
    "CPU is processor time for each run, user and system, of the contender with everything that it starts: bundler, sandboxes and servers, also between its answers. Work inside of the benchmark's process counts that process.",
    "`codemode serve` is measured from an MCP client at the other end of its stdio, whose processor time is in its figures; `codemode library` (what a program imports) and the peers in the process that asks. All of them call the same server over stdio.",
    "## Targets",
    printTargets(results),
    "## Against the floors",
    FLOORS,
    printFloors(results),
    ...sections.flatMap(({ title, error, tables }) => [
      `## ${title}`,
      ...(error === undefined ? [] : [`Not measured: ${error}`]),
      ...tables.flatMap(printOne),
    ]),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The targets with what was measured, and how many are met. */
function printTargets(results) {
  const targets = evaluateTargets(listFigures(results));
  const met = targets.filter(({ isMet }) => isMet).length;
  const table = printTable(
    ["", "target", "measured", "in CPU", "met"],
    targets.map(({ title, sign, bound, unit, measured, cpu, isMet }) => {
      const amount = (value) => (value === undefined ? "" : `${printNumber(value)}${unit}`);
      const verdict = isMet === undefined ? "not measured" : isMet ? "yes" : "**no**";
      return [title, `${sign} ${bound.toLocaleString("en")}${unit}`, amount(measured), amount(cpu), verdict];
    }),
  );
  return `${table}\n\n${met} of ${targets.length} targets are met. A ratio is of medians in one table; "in CPU" is the same ratio of processor time.`;
}

function printOne({ title, load, columns, rows, remarkHead, compared = [], note }) {
  const cellsOf = columns.map((column) => toCells(column, rows, compared.includes(column.key)));
  const sampled = columns.find(({ key }) => hasSamples(rows, key))?.key;
  const head = [
    ...(remarkHead === undefined ? [] : [remarkHead]),
    ...cellsOf.flatMap(({ heads }) => heads),
    ...(sampled === undefined ? [] : ["samples"]),
  ];
  const lines = rows.map(({ name, remark, values, error }) => {
    if (values === undefined) return [name, "left out", error.replaceAll("|", "\\|"), ...head.slice(2).map(() => "")];
    return [
      name,
      ...(remarkHead === undefined ? [] : [remark]),
      ...cellsOf.flatMap(({ print }) => print(values)),
      ...(sampled === undefined ? [] : [String(values[sampled]?.samples ?? "")]),
    ];
  });
  return [`### ${title} (load ${load})`, printTable(["", ...head], lines), ...(note === undefined ? [] : [note])];
}

/** The cells of a column: its value, its quartiles where there are samples, and its ratio to the first row where rows are compared. */
function toCells({ key, head, unit }, rows, isCompared) {
  const base = rows[0]?.values?.[key]?.value;
  const hasSpread = hasSamples(rows, key);
  return {
    heads: [head, ...(hasSpread ? ["p25–p75"] : []), ...(isCompared ? ["ratio"] : [])],
    print(values) {
      const { value, low, high } = values[key] ?? {};
      const spread = low === undefined ? "" : `${printNumber(low)}–${printNumber(high)}`;
      const text = unit === "" && Number.isInteger(value) ? value.toLocaleString("en") : printNumber(value);
      return [text, ...(hasSpread ? [spread] : []), ...(isCompared ? [printRatio(value, base)] : [])];
    },
  };
}

function hasSamples(rows, key) {
  return rows.some(({ values }) => values?.[key]?.samples !== undefined);
}

function printRatio(value, base) {
  return value === undefined || base === undefined ? "" : `${(value / base).toFixed(2)} ×`;
}
