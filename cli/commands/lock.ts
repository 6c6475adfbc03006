import { type ServerChange } from "../../schemas/diff-lockfile.ts";
import { lockDrifted } from "../../schemas/errors.ts";
import { type Lockfile } from "../../schemas/lockfile.ts";
import { type Command } from "../command.ts";
import { loadConfig } from "../pipeline/load-config.ts";
import { lockServers } from "../pipeline/lock-servers.ts";
import { readLockfile, writeLockfile } from "../pipeline/lockfile-file.ts";
import { reportError } from "../report.ts";

/** `codemode lock`: snapshots servers into the lockfile, or with `--check` only compares. */
export const lock: Command = async ({ args, options, context }) => {
  const config = await loadConfig(context);
  const { lockfile, changes } = await lockServers(config, await readLockfile(config), args);
  if (!options.has("check")) await writeLockfile(config, lockfile);
  if (options.has("json")) context.output.result(JSON.stringify({ changes }, null, 2));
  else for (const line of describeLock(lockfile, changes)) context.output.note(line);
  if (!options.has("check") || changes.length === 0) return 0;
  const drifted = changes.map(({ serverId }) => serverId);
  return reportError(lockDrifted(drifted), context.output, context.verbose);
};

/** One line per server, and one per changed tool. */
export function describeLock(lockfile: Lockfile, changes: readonly ServerChange[]): string[] {
  const changed = new Map(changes.map((change) => [change.serverId, change]));
  const present = [...lockfile.servers.values()].flatMap((server) => {
    const change = changed.get(server.id);
    const summary = `${server.id}: ${server.tools.length} tools, ${change?.kind ?? "unchanged"}`;
    return change === undefined || change.kind === "added" ? [summary] : [summary, ...describeTools(change)];
  });
  const removed = changes.filter(({ kind }) => kind === "removed").map(({ serverId }) => `${serverId}: removed`);
  return [...present, ...removed];
}

function describeTools(change: ServerChange): string[] {
  return [
    ...change.toolsAdded.map((name) => `  + ${name}`),
    ...change.toolsRemoved.map((name) => `  - ${name}`),
    ...change.toolsChanged.map((name) => `  ~ ${name}`),
    ...(change.selfChanged ? ["  ~ the server's own description"] : []),
  ];
}
