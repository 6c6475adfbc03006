import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { generatedOutdated } from "../../schemas/errors.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { Command, CommandContext } from "../command.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import {
  checkPackages,
  type GenerateOptions,
  generatePackages,
  outputFolder,
} from "../../engine/project/emit/generate-packages.ts";
import { loadConfig } from "../../engine/project/config/load-config.ts";
import { warnOfSecrets } from "../../engine/project/config/secrets-in-config.ts";
import { readLockfile, writeLockfile } from "../../engine/project/lockfile-file.ts";
import { isGenerated } from "../../engine/project/emit/output-folder.ts";
import { reportError } from "../print/report.ts";

/** `codemode generate`: emits the server packages from the lockfile; locks first where there is none. */
export const generate: Command = async ({ args, options, context }) => {
  const config = await loadConfig(context);
  const accepted = await readLockfile(config);
  const out = options.text("out");
  const where = { config, names: args, ...(out === undefined ? {} : { out }) };
  if (options.has("check")) return check(where, accepted, context);

  let lockfile = accepted;
  let exitCode = 0;
  if (lockfile === undefined || options.has("update")) {
    const locked = await lockFirst(config, accepted, args, context);
    exitCode = locked.exitCode;
    lockfile = locked.lockfile;
  }
  const progress = context.showProgress("Generating");
  const change = await generatePackages({ ...where, lockfile, onProgress: progress.update }).finally(progress.end);
  const toolCount = [...lockfile.servers.values()].reduce((sum, server) => sum + server.tools.length, 0);
  const packages = countOf(lockfile.servers.size, "server package");
  const files = `${countOf(change.written.length, "file")} written, ${change.removed.length} removed`;
  context.output.note(`${packages}, ${countOf(toolCount, "tool")}: ${files}.`);
  if (options.has("watch")) {
    const { watchServers } = await import("../../engine/project/watch-servers.ts");
    await watchServers({ config, lockfile, note: context.output.note }, context.signal);
  }
  return exitCode;
};

/** What was never generated cannot be out of date: where the package is not committed, every command makes it. */
async function check(
  where: Omit<GenerateOptions, "lockfile">,
  lockfile: Lockfile | undefined,
  { output, showProgress }: CommandContext,
): Promise<number> {
  if (lockfile === undefined) throw generatedOutdated(["codemode.lock.json"]);
  if (!(await isGenerated(outputFolder(where.config, where.out)))) {
    output.note(
      "Nothing is generated here, so nothing is out of date; `codemode generate` makes it from the lockfile.",
    );
    return 0;
  }
  const progress = showProgress("Checking");
  const outdated = await outdatedFiles({ ...where, lockfile, onProgress: progress.update }).finally(progress.end);
  if (outdated.length > 0) throw generatedOutdated(outdated);
  output.note("Everything is up to date.");
  return 0;
}

/** Only what talks to servers needs an MCP client, which takes longer to load than a lockfile to read. */
async function lockFirst(
  config: Config,
  accepted: Lockfile | undefined,
  names: readonly string[],
  { output, showProgress, signal, verbose }: CommandContext,
): Promise<{ lockfile: Lockfile; exitCode: number }> {
  const [{ isWorthWriting, lockServers }, { describeLock, exitCodeOfLock, reportFailures }] = await Promise.all([
    import("../../engine/project/lock-servers.ts"),
    import("../print/print-lock.ts"),
  ]);
  const progress = showProgress("Locking");
  const watch = { onProgress: progress.update, signal };
  const outcome = await lockServers(config, accepted, accepted === undefined ? [] : names, watch).finally(progress.end);
  const [failure] = outcome.failures;
  if (failure !== undefined && !isWorthWriting(outcome)) {
    for (const { error } of outcome.failures.slice(1)) reportError(error, output, verbose);
    throw failure.error;
  }
  await writeLockfile(config, outcome.lockfile);
  for (const line of describeLock(outcome)) output.note(line);
  for (const line of warnOfSecrets(config)) output.note(oneLine(line));
  reportFailures(outcome.failures, output, verbose);
  return { lockfile: outcome.lockfile, exitCode: exitCodeOfLock(outcome) };
}

async function outdatedFiles(options: GenerateOptions): Promise<string[]> {
  const { written, removed } = await checkPackages(options);
  return [...written, ...removed];
}
