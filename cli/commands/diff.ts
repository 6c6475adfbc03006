import type { Command } from "../command.ts";
import { openProject } from "../open-project.ts";
import { printChanges, printChangesAsMarkdown } from "../print/print-changes.ts";
import { exitCodeOfLock, listFailures, reportFailures } from "../print/print-lock.ts";

/** `codemode diff`: shows how the live servers differ from the lockfile, and writes nothing. */
export const diff: Command = async ({ args, options, context }) => {
  const { output, verbose } = context;
  const project = await openProject(context);
  const progress = context.showProgress("Comparing", options.has("json") || options.has("markdown"));
  const result = await project.diff({ servers: args, onProgress: progress.update }).finally(progress.end);
  const { changes, failures } = result;
  if (options.has("json")) output.result(JSON.stringify({ changes, failures: listFailures(failures) }, null, 2));
  else if (options.has("markdown")) output.result(printChangesAsMarkdown(changes, failures));
  else for (const line of printChanges(changes)) output.result(line);
  reportFailures(failures, output, verbose);
  if (failures.length > 0) return exitCodeOfLock(result);
  return changes.length === 0 ? 0 : 3;
};
