import type { ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import { lockDrifted } from "../../schemas/errors.ts";
import type { Lockfile } from "../../schemas/lockfile.ts";
import type { Command } from "../command.ts";
import { loadConfig } from "../pipeline/load-config.ts";
import { lockServers } from "../pipeline/lock-servers.ts";
import { readLockfile, writeLockfile } from "../pipeline/lockfile-file.ts";
import { warnOfSecrets } from "../pipeline/secrets-in-config.ts";
import { printChanges } from "../print-changes.ts";
import { printProblems } from "../print-problems.ts";
import { oneLine, reportError } from "../report.ts";

/** `codemode lock`: snapshots servers into the lockfile, or with `--check` only compares. */
export const lock: Command = async ({ args, options, context }) => {
  const config = await loadConfig(context);
  const progress = context.showProgress("Locking", options.has("json"));
  const accepted = await readLockfile(config);
  const watch = { onProgress: progress.update, signal: context.signal };
  const { lockfile, changes, problems } = await lockServers(config, accepted, args, watch).finally(progress.end);
  if (!options.has("check")) await writeLockfile(config, lockfile);
  if (options.has("json")) context.output.result(JSON.stringify({ changes }, null, 2));
  else for (const line of describeLock(lockfile, changes)) context.output.note(line);
  for (const line of warnOfSecrets(config)) context.output.note(oneLine(line));
  for (const line of printProblems(lockfile, problems)) context.output.note(line);
  if (!options.has("check") || changes.length === 0) return 0;
  const drifted = changes.map(({ serverId }) => serverId);
  return reportError(lockDrifted(drifted), context.output, context.verbose);
};

/** One line per server, and what changed in it. */
export function describeLock(lockfile: Lockfile, changes: readonly ServerChange[]): string[] {
  const changed = new Set(changes.map(({ serverId }) => serverId));
  const unchanged = [...lockfile.servers.values()].filter(({ id }) => !changed.has(id));
  const toolCounts = new Map([...lockfile.servers.values()].map(({ id, tools }) => [id, tools.length]));
  return [
    ...unchanged.map(({ id, tools }) => `${id}: ${tools.length} tools, unchanged`),
    ...changes.flatMap((change) =>
      change.kind === "added"
        ? [`${change.serverId}: ${toolCounts.get(change.serverId)} tools, added`]
        : printChanges([change]),
    ),
  ];
}
