import assert from "node:assert/strict";

export const task = {
  title: "Three regions",
  size: "simple",
  calls: "independent",
  text: 'Read the files config/eu.json, config/us.json and config/asia.json, and return their currencies by region, for example { eu: "…", us: "…", asia: "…" }.',
  tools: { "files/read_text_file": "read text file" },
  check({ result }) {
    assert.deepEqual(result, { eu: "EUR", us: "USD", asia: "SGD" });
  },
};
