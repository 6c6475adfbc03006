import type { Command } from "../command.ts";
import { loadConfig } from "../pipeline/load-config.ts";
import { lockServers } from "../pipeline/lock-servers.ts";
import { readLockfile } from "../pipeline/lockfile-file.ts";
import { printChanges, printChangesAsMarkdown } from "../print-changes.ts";

/** `codemode diff`: shows how the live servers differ from the lockfile, and writes nothing. */
export const diff: Command = async ({ args, options, context }) => {
  const config = await loadConfig(context);
  const progress = context.showProgress("Comparing", options.has("json") || options.has("markdown"));
  const accepted = await readLockfile(config);
  const watch = { onProgress: progress.update, signal: context.signal };
  const { changes } = await lockServers(config, accepted, args, watch).finally(progress.end);
  if (options.has("json")) context.output.result(JSON.stringify({ changes }, null, 2));
  else if (options.has("markdown")) context.output.result(printChangesAsMarkdown(changes));
  else for (const line of printChanges(changes)) context.output.result(line);
  return changes.length === 0 ? 0 : 3;
};
