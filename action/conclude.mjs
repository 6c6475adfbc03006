// Ends the job with the exit code of the checks, when the comment is written.
import { readFileSync } from "node:fs";
import { runStep } from "./parts/job-log.mjs";
import { readSettings } from "./parts/read-settings.mjs";

await runStep((env) => JSON.parse(readFileSync(readSettings(env).resultFile, "utf8")).code);
