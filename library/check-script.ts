import { findLostByLockfile, warnOfLost } from "../engine/project/config/lost-patterns.ts";
import { bundlePlaces } from "../engine/project/project-places.ts";
import type { ReadScript } from "../engine/project/script.ts";
import type { ProjectPreparation } from "../engine/project/prepare-project.ts";
import type { CodemodeError } from "../schemas/codemode-error.ts";
import type { Config } from "../schemas/config/config.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { CheckResult } from "./check-result.ts";

/** Checks a script of a project against its lockfile and its types. `file` is where a configured script stands. */
export async function checkProjectScript(
  found: ReadScript,
  file: string | undefined,
  config: Config,
  preparation: ProjectPreparation,
): Promise<CheckResult> {
  const { prepareProject } = await import("../engine/project/prepare-project.ts");
  return checkScript(found, file, config, async () => {
    const lockfile = await prepareProject(config, preparation);
    for (const line of warnOfLost(findLostByLockfile(config, lockfile))) preparation.note(line);
    return lockfile;
  });
}

/** Checks a script against what a lockfile has. */
export async function checkScript(
  found: ReadScript,
  file: string | undefined,
  config: Config,
  read: () => Promise<Lockfile>,
): Promise<CheckResult> {
  const { inspectScript } = await import("../engine/inspect-script.ts");
  const { startChecker } = await import("../engine/check/process/start-checker.ts");
  const checker = startChecker(bundlePlaces(config).packages);
  try {
    if (!("bundle" in found)) checker.warm(); // It starts while the project is read.
    const lockfile = await read();
    const { diagnostics, tools } = await inspectScript(found, config, lockfile, checker);
    const outdated = file === undefined ? undefined : await findWhyOutdated(file, config, lockfile);
    const ok = outdated === undefined && diagnostics.every(({ severity }) => severity !== "error");
    return { ok, diagnostics, ...withoutUndefined({ tools, outdated }) };
  } finally {
    await checker.close();
  }
}

/** Why the pinned bundle of a configured script must be made again. */
async function findWhyOutdated(name: string, config: Config, lockfile: Lockfile): Promise<CodemodeError | undefined> {
  const { findOutdated, readPair } = await import("../engine/pinned-pairs.ts");
  const { pinScript } = await import("../engine/run/pinned/pin-script.ts");
  const pair = await readPair(config.scripts.get(name), config.folder);
  if (pair === undefined) return undefined;
  const outcome = await pinScript(pair.source, { ...bundlePlaces(config), lockfile });
  return outcome.ok ? findOutdated(pair, outcome.pinned) : undefined;
}
