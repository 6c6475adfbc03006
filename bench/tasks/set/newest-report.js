import assert from "node:assert/strict";

export const task = {
  title: "The newest report",
  size: "simple",
  calls: "sequential",
  text: 'The folder inbox has one file of sales for each month. Find the newest by its name, and return the number after "Total:" in it.',
  tools: { "files/list_directory": "list directory", "files/read_text_file": "read text file" },
  check({ result }) {
    assert.equal(result, 7295);
  },
};
