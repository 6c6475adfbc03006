import { lockDrifted, optionInvalid } from "../../schemas/errors.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { Command } from "../command.ts";
import { openProject } from "../open-project.ts";
import { describeLock, exitCodeOfLock, listFailures, reportFailures } from "../print/print-lock.ts";
import { printProblems } from "../print/print-problems.ts";
import { reportError } from "../print/report.ts";

/** `codemode lock`: snapshots servers into the lockfile, or with `--check` only compares. */
export const lock: Command = async (invocation) => {
  const { args, options, context } = invocation;
  const { output, verbose } = context;
  const check = options.has("check");
  if (options.has("repair") && (check || args.length > 0)) {
    throw optionInvalid(
      "--repair",
      "it cannot be combined with --check or names of servers: it locks all broken entries",
    );
  }
  const project = await openProject(context);
  const progress = context.showProgress("Locking", options.has("json"));
  const watch = { onProgress: progress.update };
  const locking = options.has("repair") ? project.repair(watch) : project.lock({ ...watch, servers: args, check });
  const result = await locking.finally(progress.end);
  if (result === undefined) {
    output.note("The lockfile is valid: nothing to repair.");
    return 0;
  }
  const { lockfile, changes, failures, problems, warnings } = result;
  for (const [serverId, problem] of "broken" in result ? result.broken : []) {
    output.note(oneLine(`${serverId}: not taken over: ${problem}`));
  }
  for (const [serverId, shapes] of "brokenShapes" in result ? result.brokenShapes : []) {
    for (const problem of shapes) output.note(oneLine(`${serverId}: left out: ${problem}`));
  }
  if (options.has("json")) output.result(JSON.stringify({ changes, failures: listFailures(failures) }, null, 2));
  else for (const line of describeLock(result)) output.note(line);
  for (const line of warnings) output.note(oneLine(line));
  for (const line of printProblems(lockfile, problems)) output.note(line);
  reportFailures(failures, output, verbose);
  if (failures.length > 0 || !check || changes.length === 0) return exitCodeOfLock(result);
  const drifted = changes.map(({ serverId }) => serverId);
  return reportError(lockDrifted(drifted), output, verbose);
};
