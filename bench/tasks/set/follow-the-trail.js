import assert from "node:assert/strict";

export const task = {
  title: "Follow the trail",
  size: "simple",
  calls: "iterative",
  text: 'Read trail/start.txt. Each file of the folder trail names the next one to read ("Read on in NAME.txt"); the last one has a word ("The word is: …"). Return { word, files } with the number of files that were read.',
  tools: { "files/read_text_file": "read text file" },
  check({ result }) {
    assert.deepEqual(result, { word: "marzipan", files: 8 });
  },
};
