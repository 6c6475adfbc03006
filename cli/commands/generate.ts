import { generatedOutdated } from "../../schemas/errors.ts";
import type { Command } from "../command.ts";
import { countOf } from "../../templates/text/count-of.ts";
import { checkPackages, generatePackages } from "../pipeline/generate-packages.ts";
import { loadConfig } from "../pipeline/load-config.ts";
import { oneLine } from "../report.ts";
import { warnOfSecrets } from "../pipeline/secrets-in-config.ts";
import { readLockfile, writeLockfile } from "../pipeline/lockfile-file.ts";

/** `codemode generate`: emits the server packages from the lockfile; locks first where there is none. */
export const generate: Command = async ({ args, options, context }) => {
  const config = await loadConfig(context);
  const accepted = await readLockfile(config);
  const out = options.text("out");
  const where = { config, names: args, ...(out === undefined ? {} : { out }) };

  if (options.has("check")) {
    const progress = context.showProgress("Checking");
    const outdated =
      accepted === undefined
        ? ["codemode.lock.json"]
        : await outdatedFiles({ ...where, lockfile: accepted, onProgress: progress.update }).finally(progress.end);
    if (outdated.length > 0) throw generatedOutdated(outdated);
    context.output.note("Everything is up to date.");
    return 0;
  }

  let lockfile = accepted;
  if (lockfile === undefined || options.has("update")) {
    // Only what talks to servers needs an MCP client, which takes longer to load than a lockfile to read.
    const [{ lockServers }, { describeLock }] = await Promise.all([
      import("../pipeline/lock-servers.ts"),
      import("./lock.ts"),
    ]);
    const progress = context.showProgress("Locking");
    const names = accepted === undefined ? [] : args;
    const watch = { onProgress: progress.update, signal: context.signal };
    const locked = await lockServers(config, accepted, names, watch).finally(progress.end);
    await writeLockfile(config, locked.lockfile);
    for (const line of warnOfSecrets(config)) context.output.note(oneLine(line));
    for (const line of describeLock(locked.lockfile, locked.changes)) context.output.note(line);
    lockfile = locked.lockfile;
  }
  const progress = context.showProgress("Generating");
  const change = await generatePackages({ ...where, lockfile, onProgress: progress.update }).finally(progress.end);
  const toolCount = [...lockfile.servers.values()].reduce((sum, server) => sum + server.tools.length, 0);
  const packages = countOf(lockfile.servers.size, "server package");
  const files = `${countOf(change.written.length, "file")} written, ${change.removed.length} removed`;
  context.output.note(`${packages}, ${countOf(toolCount, "tool")}: ${files}.`);
  if (options.has("watch")) {
    const { watchServers } = await import("../pipeline/watch-servers.ts");
    await watchServers({ config, lockfile, note: context.output.note }, context.signal);
  }
  return 0;
};

async function outdatedFiles(options: Parameters<typeof checkPackages>[0]): Promise<string[]> {
  const { written, removed } = await checkPackages(options);
  return [...written, ...removed];
}
