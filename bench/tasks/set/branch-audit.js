import assert from "node:assert/strict";

export const task = {
  title: "Audit of branches",
  size: "complex",
  calls: "independent",
  text: "For each branch of the git repository {repo} other than main, return its name, the author of its newest commit, and the number of files in which it differs from main, as a list in alphabetical order: [{ branch, author, files }].",
  tools: {
    "git/git_branch": "list git branches",
    "git/git_log": "git log",
    "git/git_diff": "git diff between branches",
  },
  check({ result }) {
    assert.deepEqual(result, [
      { branch: "docs", author: "Linus", files: 3 },
      { branch: "feature-search", author: "Linus", files: 2 },
      { branch: "fix-rounding", author: "Linus", files: 1 },
    ]);
  },
};
