import assert from "node:assert/strict";

export const task = {
  title: "Triage of logs",
  size: "complex",
  calls: "iterative",
  text: "Search the folder logs for all files that end in .log. Count the errors by their code (a line of an error has ERROR and a code such as E101) over all files, write the counts as JSON to reports/errors.json, and return the most frequent code (the lowest one where several are equal).",
  tools: {
    "files/search_files": "search files by pattern",
    "files/read_text_file": "read text file",
    "files/write_file": "write file",
  },
  check({ result, world }) {
    const counts = {};
    for (let number = 1; number <= 10; number += 1) {
      const text = world.read(`logs/app-${String(number).padStart(2, "0")}.log`);
      for (const [, code] of text.matchAll(/ERROR (E\d+)/g)) counts[code] = (counts[code] ?? 0) + 1;
    }
    assert.deepEqual(JSON.parse(world.read("reports/errors.json")), counts);
    const [[top]] = Object.entries(counts).toSorted(([left, a], [right, b]) => b - a || (left < right ? -1 : 1));
    assert.equal(result, top);
  },
};
