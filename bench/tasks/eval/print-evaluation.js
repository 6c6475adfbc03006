/** Prints the rows of an evaluation as a table, and for each set of tools how many tasks passed and what they took. */
export function printEvaluation(rows) {
  const line = (cells) => `| ${cells.join(" | ")} |\n`;
  const heading = ["task", "tools", "passed", "turns", "calls", "tokens in", "tokens out"];
  const table = rows.map(({ task, tools, failure, turns, calls, input, output }) =>
    line([task, tools, failure === undefined ? "yes" : `no: ${failure}`, turns, calls, input, output]),
  );
  const sums = [...new Set(rows.map(({ tools }) => tools))].map((name) => {
    const own = rows.filter(({ tools }) => tools === name);
    const sum = (key) => own.reduce((total, row) => total + row[key], 0).toLocaleString("en");
    const passed = own.filter(({ failure }) => failure === undefined).length;
    return `${name}: ${passed} of ${own.length} tasks passed, ${sum("turns")} turns, ${sum("calls")} calls, ${sum("input")} tokens in, ${sum("output")} tokens out\n`;
  });
  return `${line(heading)}${line(heading.map(() => "---"))}${table.join("")}\n${sums.join("")}`;
}
