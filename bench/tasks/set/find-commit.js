import assert from "node:assert/strict";

export const task = {
  title: "The commit that changed a setting",
  size: "complex",
  calls: "iterative",
  text: 'On the branch main of the git repository {repo}, find the first commit in which "timeout" in app/config.json is 5, by showing that file at commits of the history. Return { subject, author } of that commit.',
  tools: { "git/git_log": "git log", "git/git_show": "git show file at commit" },
  check({ result }) {
    assert.deepEqual(result, { subject: "Build 8", author: "Grace" });
  },
};
