import { loadConfig } from "../../engine/project/config/load-config.ts";
import { warnOfSecrets } from "../../engine/project/config/secrets-in-config.ts";
import { isWorthWriting } from "../../engine/project/lock-servers.ts";
import { writeLockfile } from "../../engine/project/lockfile-file.ts";
import type { OnProgress } from "../../engine/project/progress.ts";
import { repairLockfile } from "../../engine/project/repair-lockfile.ts";
import type { LockResult } from "../../library/index.ts";
import { lockDrifted, optionInvalid } from "../../schemas/errors.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { Command, CommandContext } from "../command.ts";
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
  const progress = context.showProgress("Locking", options.has("json"));
  const locking = options.has("repair")
    ? repair(context, progress.update)
    : openProject(context).then((project) => project.lock({ servers: args, check, onProgress: progress.update }));
  const result = await locking.finally(progress.end);
  if (result === undefined) {
    output.note("The lockfile is valid: nothing to repair.");
    return 0;
  }
  const { lockfile, changes, failures, problems, warnings } = result;
  if (options.has("json")) output.result(JSON.stringify({ changes, failures: listFailures(failures) }, null, 2));
  else for (const line of describeLock(result)) output.note(line);
  for (const line of warnings) output.note(oneLine(line));
  for (const line of printProblems(lockfile, problems)) output.note(line);
  reportFailures(failures, output, verbose);
  if (failures.length > 0 || !check || changes.length === 0) return exitCodeOfLock(result);
  const drifted = changes.map(({ serverId }) => serverId);
  return reportError(lockDrifted(drifted), output, verbose);
};

async function repair(context: CommandContext, onProgress: OnProgress): Promise<LockResult | undefined> {
  const config = await loadConfig(context);
  const outcome = await repairLockfile(config, { onProgress, signal: context.signal });
  if (outcome === undefined) return undefined;
  for (const [serverId, problem] of outcome.broken) {
    context.output.note(oneLine(`${serverId}: not taken over: ${problem}`));
  }
  if (isWorthWriting(outcome)) await writeLockfile(config, outcome.lockfile);
  return { ...outcome, warnings: warnOfSecrets(config) };
}
