import assert from "node:assert/strict";

export const task = {
  title: "State of a repository",
  size: "simple",
  calls: "independent",
  text: "For the git repository {repo}, return its current branch, whether its working tree is clean, and the names of its tags in alphabetical order: { branch, isClean, tags }.",
  tools: { "git/git_status": "git status", "git/git_tag": "list git tags" },
  check({ result }) {
    assert.deepEqual(result, { branch: "main", isClean: true, tags: ["v1.0.0", "v1.1.0", "v1.2.0"] });
  },
};
