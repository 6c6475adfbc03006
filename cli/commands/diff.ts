import { type LearnExtra, loadExtra } from "../../engine/extras.ts";
import { join } from "node:path";
import { LOCKFILE_NAME, placeInRepository } from "../../engine/files.ts";
import { loadConfig } from "../../engine/load-config.ts";
import type { ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import type { DiffResult } from "../../library/index.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { Command, CommandContext, OptionValues } from "../command.ts";
import { openProjectHere } from "../open-project.ts";
import { printChangesAsMarkdown } from "../print/changes-as-markdown.ts";
import { printChangesAsSarif } from "../print/changes-as-sarif.ts";
import { printChanges } from "../print/print-changes.ts";
import { exitCodeOfLock, listFailures, reportFailures } from "../print/print-lock.ts";

/**
 * `codemode diff`: shows how the live servers differ from the lockfile, and which shapes of results runs have left behind that it does not
 * have. It writes nothing.
 */
export const diff: Command = async ({ args, options, context }) => {
  const { output, verbose } = context;
  const format = readFormat(options);
  const project = await openProjectHere(context);
  const progress = context.showProgress("Comparing", format !== "text");
  const result = await project.diff({ servers: args, onProgress: progress.update }).finally(progress.end);
  const { failures } = result;
  const drift = result.changes;
  // What was observed is no drift: `learn --check` fails for it.
  const changes = [...drift, ...(project.lockfile === undefined ? [] : await findPending(context, result))];
  if (format === "json") output.result(JSON.stringify({ changes, failures: listFailures(failures) }, null, 2));
  else if (format === "markdown") output.result(printChangesAsMarkdown(changes, failures));
  else if (format === "sarif") {
    const place = placeInRepository(join(project.folder, LOCKFILE_NAME));
    output.result(printChangesAsSarif(changes, failures, project.lockfile, place));
  } else for (const line of printChanges(changes)) output.result(line);
  reportFailures(failures, output, verbose);
  if (failures.length > 0) return exitCodeOfLock(result);
  return drift.length === 0 ? 0 : 3;
};

const FORMATS = ["json", "markdown", "sarif"] as const;

function readFormat(options: OptionValues): (typeof FORMATS)[number] | "text" {
  const asked = [...options.texts("format"), ...["json", "markdown"].filter((name) => options.has(name))];
  const [word] = asked;
  if (word === undefined) return "text";
  const format = FORMATS.find((name) => name === word);
  if (format === undefined || asked.length > 1) throw optionInvalid("--format", "it is one of json, markdown, sarif");
  return format;
}

/** Of the servers that were compared. */
async function findPending(context: CommandContext, { answered, failures }: DiffResult): Promise<ServerChange[]> {
  const changes = await (await loadExtra<LearnExtra>("learn")).findPending(await loadConfig(context));
  const compared = new Set([...answered, ...failures.map(({ serverId }) => serverId)]);
  return changes.filter(({ serverId }) => compared.has(serverId));
}
