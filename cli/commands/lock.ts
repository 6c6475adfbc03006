import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { Config } from "../../schemas/config/config.ts";
import { optionInvalid, lockDrifted } from "../../schemas/errors.ts";
import type { Command } from "../command.ts";
import { loadConfig } from "../../engine/project/config/load-config.ts";
import { isWorthWriting, lockServers, type LockOutcome, type LockWatch } from "../../engine/project/lock-servers.ts";
import { readLockfile, writeLockfile } from "../../engine/project/lockfile-file.ts";
import { repairLockfile } from "../../engine/project/repair-lockfile.ts";
import { warnOfSecrets } from "../../engine/project/config/secrets-in-config.ts";
import { describeLock, exitCodeOfLock, listFailures, reportFailures } from "../print/print-lock.ts";
import { printProblems } from "../print/print-problems.ts";
import { reportError } from "../print/report.ts";

/** `codemode lock`: snapshots servers into the lockfile, or with `--check` only compares. */
export const lock: Command = async (invocation) => {
  const { args, options, context } = invocation;
  const { output } = context;
  if (options.has("repair") && (options.has("check") || args.length > 0)) {
    throw optionInvalid(
      "--repair",
      "it cannot be combined with --check or names of servers: it locks all broken entries",
    );
  }
  const config = await loadConfig(context);
  const progress = context.showProgress("Locking", options.has("json"));
  const watch = { onProgress: progress.update, signal: context.signal };
  const locking = options.has("repair") ? repair(config, watch, output.note) : lockAgain(config, args, watch);
  const outcome = await locking.finally(progress.end);
  if (outcome === undefined) {
    output.note("The lockfile is valid: nothing to repair.");
    return 0;
  }
  const { lockfile, changes, failures, problems } = outcome;
  if (!options.has("check") && isWorthWriting(outcome)) await writeLockfile(config, lockfile);
  if (options.has("json")) output.result(JSON.stringify({ changes, failures: listFailures(failures) }, null, 2));
  else for (const line of describeLock(outcome)) output.note(line);
  for (const line of warnOfSecrets(config)) output.note(oneLine(line));
  for (const line of printProblems(lockfile, problems)) output.note(line);
  reportFailures(failures, output, context.verbose);
  if (failures.length > 0 || !options.has("check") || changes.length === 0) return exitCodeOfLock(outcome);
  const drifted = changes.map(({ serverId }) => serverId);
  return reportError(lockDrifted(drifted), output, context.verbose);
};

async function lockAgain(config: Config, names: readonly string[], watch: LockWatch): Promise<LockOutcome> {
  return lockServers(config, await readLockfile(config), names, watch);
}

async function repair(
  config: Config,
  watch: LockWatch,
  note: (line: string) => void,
): Promise<LockOutcome | undefined> {
  const outcome = await repairLockfile(config, watch);
  for (const [serverId, problem] of outcome?.broken ?? []) note(oneLine(`${serverId}: not taken over: ${problem}`));
  return outcome;
}
