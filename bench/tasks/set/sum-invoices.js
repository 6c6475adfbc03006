import assert from "node:assert/strict";

export const task = {
  title: "Sum of invoices",
  size: "simple",
  calls: "iterative",
  text: "The folder invoices has the text files INV-1001.txt to INV-1012.txt. Return the sum of the amounts of those whose status is open.",
  tools: { "files/read_text_file": "read text file" },
  check({ result }) {
    assert.equal(result, (4 + 8 + 12) * 113 + 1.5);
  },
};
