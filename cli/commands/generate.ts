import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { loadConfig } from "../../engine/load-config.ts";
import type { Project } from "../../library/index.ts";
import { generatedOutdated } from "../../schemas/errors.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import type { Command, CommandContext } from "../command.ts";
import { openProjectHere } from "../open-project.ts";

/** `codemode generate`: emits the server packages from the lockfile; locks first where there is none. */
export const generate: Command = async ({ args: servers, options, context }) => {
  const { output, showProgress, signal } = context;
  const project = await openProjectHere(context);
  const out = options.text("out");
  const where = { servers, out: out === undefined ? undefined : resolve(context.cwd, out) };
  if (options.has("check")) return check(where, project, context);
  const isFirst = !hasLockfile(project);
  const exitCode = isFirst || options.has("update") ? await lockFirst(project, isFirst ? [] : servers, context) : 0;
  const progress = showProgress("Generating");
  const change = await project.generate({ ...where, onProgress: progress.update }).finally(progress.end);
  const locked = [...change.lockfile.servers.values()];
  const toolCount = locked.reduce((sum, server) => sum + server.tools.length, 0);
  const files = `${countOf(change.written.length, "file")} written, ${change.removed.length} removed`;
  output.note(`${countOf(locked.length, "server package")}, ${countOf(toolCount, "tool")}: ${files}.`);
  if (options.has("watch")) {
    const { watchServers } = await import("../../engine/live-servers.ts");
    await watchServers(await loadConfig(context), change.lockfile, output.note, signal);
  }
  return exitCode;
};

/** Looks for the file alone: reading thousands of tools takes a while, and generating does so anyway. */
function hasLockfile({ folder }: Project): boolean {
  return existsSync(join(folder, "codemode.lock.json"));
}

/** What was never generated cannot be out of date: where the package is not committed, every command makes it. */
async function check(
  where: { servers: readonly string[]; out: string | undefined },
  project: Project,
  { output, showProgress }: CommandContext,
): Promise<number> {
  if (!hasLockfile(project)) throw generatedOutdated(["codemode.lock.json"]);
  const progress = showProgress("Checking");
  const checking = project.generate({ ...where, check: true, onProgress: progress.update });
  const { wasGenerated, written, removed } = await checking.finally(progress.end);
  const outdated = [...written, ...removed];
  if (wasGenerated && outdated.length > 0) throw generatedOutdated(outdated);
  output.note(
    wasGenerated
      ? "Everything is up to date."
      : "Nothing is generated here, so nothing is out of date; `codemode generate` makes it from the lockfile.",
  );
  return 0;
}

async function lockFirst(
  project: Project,
  servers: readonly string[],
  { output, showProgress, signal, verbose }: CommandContext,
): Promise<number> {
  const { describeLock, exitCodeOfLock, reportFailures } = await import("../print/print-lock.ts");
  const progress = showProgress("Locking");
  const result = await project.lock({ servers, signal, onProgress: progress.update }).finally(progress.end);
  const [failure, ...others] = result.failures;
  if (failure !== undefined && result.lockfile.servers.size === 0) {
    reportFailures(others, output, verbose);
    throw failure.error;
  }
  for (const line of describeLock(result)) output.note(line);
  for (const line of result.warnings) output.note(oneLine(line));
  reportFailures(result.failures, output, verbose);
  return exitCodeOfLock(result);
}
