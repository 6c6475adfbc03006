/** Milliseconds in three digits or so. */
export function printMs(value) {
  if (value === undefined) return "";
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** A Markdown table; the first column is text, the others are numbers. */
export function printTable(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

/** One line for each contender: median, spread, and how often the median of the first one goes into it. */
export function printComparison(outcomes) {
  const base = [...outcomes.values()][0]?.median;
  const rows = [...outcomes].map(([name, { median, low, high, count, error }]) =>
    error === undefined
      ? [name, printMs(median), `${printMs(low)}–${printMs(high)}`, printRatio(median, base), String(count)]
      : [name, "left out", error.replaceAll("|", "\\|"), "", ""],
  );
  return printTable(["", "median ms", "p25–p75", "ratio", "samples"], rows);
}

function printRatio(value, base) {
  return base === undefined ? "" : `${(value / base).toFixed(2)} ×`;
}
