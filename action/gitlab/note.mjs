// Writes the result of the review as one note on the merge request. It runs nothing of the project.
import { readFileSync } from "node:fs";
import { openForge } from "../parts/forge.mjs";
import { log, runStep } from "../parts/job-log.mjs";
import { keepComment } from "../parts/keep-comment.mjs";
import { readSettings } from "../parts/read-settings.mjs";

await runStep(async (env) => {
  const { resultFile } = readSettings(env);
  const { CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID, REVIEW_TOKEN } = env;
  if (!REVIEW_TOKEN) {
    log("REVIEW_TOKEN is not set: the result is in the artifacts of the job before.");
    return 0;
  }
  const { request, list } = openForge(CI_API_V4_URL, { "private-token": REVIEW_TOKEN });
  const path = `/projects/${encodeURIComponent(CI_PROJECT_ID)}/merge_requests/${encodeURIComponent(CI_MERGE_REQUEST_IID)}/notes`;
  const self = await request("GET", "/user");
  const done = await keepComment(JSON.parse(readFileSync(resultFile, "utf8")), {
    listOwn: async () => (await list(path)).filter(({ author }) => author?.id === self.id),
    create: (body) => request("POST", path, { body }),
    update: (id, body) => request("PUT", `${path}/${id}`, { body }),
  });
  log(`Note: ${done}.`);
  return 0;
});
