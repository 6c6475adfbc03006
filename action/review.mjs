// Runs the checks and writes what they found: to the job's summary, and to a file for the steps that hold a token.
import { appendFileSync, writeFileSync } from "node:fs";
import { log, logForeign, runStep, setOutputs } from "./parts/job-log.mjs";
import { readSettings } from "./parts/read-settings.mjs";
import { concludeChecks, hasBreaking, runChecks } from "./parts/run-checks.mjs";
import { summarize } from "./parts/summarize.mjs";

await runStep(async (env) => {
  const settings = readSettings(env);
  const found = await runChecks(settings, env);
  const code = concludeChecks(found, settings.failOn);
  const summary = summarize(found, settings.name);
  for (const { command, code, output } of found.checks) {
    log(`${command}: exit code ${code}`);
    if (code !== 0 && output.trim() !== "") logForeign(output);
  }
  const hasDrift = found.changes.length > 0;
  const result = { name: settings.name, code, isQuiet: found.checks.every((check) => check.code === 0), summary };
  writeFileSync(settings.resultFile, JSON.stringify(result));
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, summary);
  setOutputs(env.GITHUB_OUTPUT, {
    drift: hasDrift,
    breaking: hasBreaking(found.changes),
    "exit-code": code,
    result: settings.resultFile,
  });
  return 0;
});
