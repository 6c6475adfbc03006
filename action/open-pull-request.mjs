// Opens the pull request with what `renew.mjs` has changed, or updates it. It runs nothing of the project.
import { readFileSync } from "node:fs";
import { openGitHub } from "./parts/forge.mjs";
import { log, runStep, setOutputs } from "./parts/job-log.mjs";
import { readSettings } from "./parts/read-settings.mjs";
import { pushFiles } from "./parts/push-files.mjs";

await runStep(async (env) => {
  const { body, files } = JSON.parse(readFileSync(readSettings(env).resultFile, "utf8"));
  if (files.length === 0) {
    log("Nothing has changed: no pull request.");
    return 0;
  }
  const github = openGitHub(env);
  const { request, repository } = github;
  const [base, branch] = [env.REVIEW_BASE || env.GITHUB_REF_NAME, env.REVIEW_BRANCH || "codemode/renew"];
  const title = env.REVIEW_TITLE || "Renew the lockfile of codemode";
  const pushed = await pushFiles(github, { base, branch, title, files });
  const owner = repository.split("/")[2];
  const query = new URLSearchParams({ state: "open", head: `${owner}:${branch}`, base });
  const [open] = await request("GET", `${repository}/pulls?${query}`);
  const pull =
    open === undefined
      ? await request("POST", `${repository}/pulls`, { title, body, head: branch, base })
      : await request("PATCH", `${repository}/pulls/${open.number}`, { body });
  setOutputs(env.GITHUB_OUTPUT, { "pull-request": pull.number });
  log(`Pull request ${pull.number}: ${open === undefined ? "opened" : pushed ? "updated" : "unchanged"}.`);
  return 0;
});
