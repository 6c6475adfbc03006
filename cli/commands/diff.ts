import type { Command } from "../command.ts";
import { loadConfig } from "../../engine/project/config/load-config.ts";
import { lockServers } from "../../engine/project/lock-servers.ts";
import { readLockfile } from "../../engine/project/lockfile-file.ts";
import { printChanges, printChangesAsMarkdown } from "../print/print-changes.ts";
import { exitCodeOfLock, listFailures, reportFailures } from "../print/print-lock.ts";

/** `codemode diff`: shows how the live servers differ from the lockfile, and writes nothing. */
export const diff: Command = async ({ args, options, context }) => {
  const config = await loadConfig(context);
  const progress = context.showProgress("Comparing", options.has("json") || options.has("markdown"));
  const accepted = await readLockfile(config);
  const watch = { onProgress: progress.update, signal: context.signal };
  const outcome = await lockServers(config, accepted, args, watch).finally(progress.end);
  const { changes, failures } = outcome;
  const { output } = context;
  if (options.has("json")) output.result(JSON.stringify({ changes, failures: listFailures(failures) }, null, 2));
  else if (options.has("markdown")) output.result(printChangesAsMarkdown(changes, failures));
  else for (const line of printChanges(changes)) output.result(line);
  reportFailures(failures, output, context.verbose);
  if (failures.length > 0) return exitCodeOfLock(outcome);
  return changes.length === 0 ? 0 : 3;
};
