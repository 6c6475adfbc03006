// What docs/performance.md compares, in its table and in its picture: kinds of work, and the programs that do them.

/** The programs, with the names that the benchmarks give them. The first two are codemode. */
export const PROGRAMS = [
  { label: "codemode, a process for each run", names: ["codemode run", "codemode serve, process"] },
  { label: "codemode, `compartment`", names: ["codemode serve, compartment"] },
  { label: "Executor, QuickJS", names: ["Executor, QuickJS"] },
  { label: "UTCP, isolated-vm", names: ["UTCP, isolated-vm"] },
  { label: "mcp-use, no sandbox", names: ["mcp-use, node:vm"] },
];

/** The kinds of work, with the table of bench/results.json and its column. Of times less is better, of runs a second more. */
export const WORK = [
  { label: "from nothing to a first result", table: "start.cold", column: "ms", unit: "ms" },
  { label: "a new script with one call", table: "warm.new", column: "ms", unit: "ms" },
  { label: "a script seen before", table: "warm.seen", column: "ms", unit: "ms" },
  { label: "100 calls in turn", table: "warm.turn100", column: "ms", unit: "ms" },
  { label: "100 calls at once", table: "warm.once100", column: "ms", unit: "ms" },
  { label: "processor time of a short script", table: "throughput.call", column: "cpuMs", unit: "ms" },
  { label: "short scripts a second", table: "throughput.call", column: "perSecond", unit: "" },
];

/**
 * @param results what the last run of the benchmarks measured
 * @returns the value of each kind of work (rows) for each program (columns); `undefined` where a program does not do it
 */
export function compareWork(results) {
  const tables = new Map(results.sections.flatMap((section) => section.tables).map((table) => [table.id, table]));
  return WORK.map(({ table, column }) => {
    const rows = new Map((tables.get(table)?.rows ?? []).map((row) => [row.name, row.values?.[column]?.value]));
    return PROGRAMS.map(({ names }) => names.map((name) => rows.get(name)).find((value) => value !== undefined));
  });
}
