import assert from "node:assert/strict";

export const task = {
  title: "A hotfix with a tag",
  size: "complex",
  calls: "sequential",
  text: 'In the git repository {repo}: create the branch "hotfix" from main, merge the branch "fix-rounding" into it without a fast-forward, with the message "Merge the fix of rounding", check main out again, merge "hotfix" into main, and tag main as "v1.2.1". Return the names of all tags in alphabetical order.',
  tools: {
    "git/git_checkout": "git checkout branch",
    "git/git_merge": "git merge branch",
    "git/git_tag": "create git tag",
  },
  check({ result, world }) {
    assert.deepEqual(result, ["v1.0.0", "v1.1.0", "v1.2.0", "v1.2.1"]);
    assert.equal(world.git("rev-parse", "v1.2.1^{commit}"), world.git("rev-parse", "main"));
    assert.equal(world.git("log", "-1", "--format=%s", "hotfix"), "Merge the fix of rounding");
    assert.equal(world.git("branch", "--contains", "fix-rounding", "--format=%(refname:short)").includes("main"), true);
    assert.equal(world.git("branch", "--show-current"), "main");
  },
};
