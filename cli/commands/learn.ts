import { resolve } from "node:path";
import { learnResults } from "../../engine/learn-results.ts";
import { loadConfig } from "../../engine/project/config/load-config.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import { observedOutdated } from "../../schemas/observed/learn-errors.ts";
import type { Command } from "../command.ts";
import { printChanges } from "../print/print-changes.ts";
import { reportError } from "../print/report.ts";

/** `codemode learn`: writes what results looked like into the lockfile, or with `--check` says what is new. */
export const learn: Command = async ({ args, options, context }) => {
  const { output, cwd, verbose } = context;
  const from = options.texts("from").map((file) => resolve(cwd, file));
  const check = options.has("check");
  if (options.has("forget") && (check || from.length > 0)) {
    throw optionInvalid("--forget", "it cannot be combined with --from or --check");
  }
  const { changes } = await learnResults(await loadConfig(context), {
    ...{ targets: args, check, forget: options.has("forget") },
    ...(from.length > 0 && { from }),
  });
  if (options.has("json")) output.result(JSON.stringify({ changes }, null, 2));
  else if (changes.length === 0) output.note("No new shapes of results.");
  else for (const line of printChanges(changes)) output.note(line);
  if (!check || changes.length === 0) return 0;
  return reportError(observedOutdated(changes.map(({ serverId }) => serverId)), output, verbose);
};
