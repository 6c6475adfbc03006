import assert from "node:assert/strict";

export const task = {
  title: "Commit a change",
  size: "simple",
  calls: "sequential",
  text: 'In the git repository {repo} create the branch "notes", delete nothing, create an empty commit there with the message "Open notes", and return the subject of the newest commit of the branch.',
  tools: { "git/git_checkout": "create git branch checkout", "git/git_commit": "git commit", "git/git_log": "git log" },
  check({ result, world }) {
    assert.equal(result, "Open notes");
    assert.equal(world.git("log", "-1", "--format=%s", "notes"), "Open notes");
    assert.equal(world.git("rev-list", "--count", "main..notes"), "1");
  },
};
