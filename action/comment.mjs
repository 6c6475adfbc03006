// Writes the result of the review as one comment on the pull request. It runs nothing of the project.
import { readFileSync } from "node:fs";
import { openGitHub } from "./parts/forge.mjs";
import { log, runStep, setOutputs } from "./parts/job-log.mjs";
import { keepComment } from "./parts/keep-comment.mjs";
import { readSettings } from "./parts/read-settings.mjs";

await runStep(async (env) => {
  const { resultFile } = readSettings(env);
  const { pull_request: pullRequest } = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8"));
  if (!Number.isInteger(pullRequest?.number)) {
    log("No pull request: the result is in the summary of the job.");
    return 0;
  }
  const { request, list, repository } = openGitHub(env);
  const author = env.REVIEW_AUTHOR || "github-actions[bot]";
  const comments = {
    // A comment of another account is not overwritten, even if it begins like this one.
    listOwn: async () => {
      const all = await list(`${repository}/issues/${pullRequest.number}/comments`);
      return all.filter(({ user }) => user?.login === author);
    },
    create: (body) => request("POST", `${repository}/issues/${pullRequest.number}/comments`, { body }),
    update: (id, body) => request("PATCH", `${repository}/issues/comments/${id}`, { body }),
  };
  try {
    const done = await keepComment(JSON.parse(readFileSync(resultFile, "utf8")), comments);
    setOutputs(env.GITHUB_OUTPUT, { comment: done });
    log(`Comment: ${done}.`);
  } catch (error) {
    // A pull request from a fork has a token that only reads.
    if (error.status !== 403) throw error;
    setOutputs(env.GITHUB_OUTPUT, { comment: "refused" });
    log("::notice::The token may not write comments: the result is in the summary of the job.");
  }
  return 0;
});
