import type { Bundle } from "../../schemas/run/bundle.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { ScriptSource } from "../bundle/bundle-script.ts";
import { bundlePlaces } from "./project-places.ts";
import { readLockfile } from "./lockfile-file.ts";
import { type PrepareOptions, prepareProject } from "./prepare-project.ts";

/** The lockfile of a project in which nothing is locked. */
export const NO_SERVERS: Lockfile = { servers: new Map() };

/** The function of the sandbox through which a bundle reaches servers and discovery. */
const WAY_OUT = "__codemode_call__";

/** As `prepareProject`, but where there is no lockfile yet, a script that uses no server has none started for it. */
export async function prepareForScript(
  config: Config,
  script: ScriptSource,
  options: PrepareOptions,
): Promise<{ lockfile: Lockfile }> {
  const locked = await readLockfile(config);
  const isFirst = !options.frozen && locked === undefined;
  if (isFirst && (await needsNoServer(config, script))) return { lockfile: NO_SERVERS };
  return prepareProject(config, { ...options, locked: Promise.resolve(locked) });
}

/** Imports decide, not words: those of modules beside the script count too. */
async function needsNoServer(config: Config, script: ScriptSource): Promise<boolean> {
  const { bundleScript } = await import("../bundle/bundle-script.ts");
  const outcome = await bundleScript(script, { ...bundlePlaces(config), lockfile: NO_SERVERS });
  return outcome.ok && isWithoutServers(outcome.bundle);
}

/** Whether a bundle neither calls a tool nor looks one up. */
export function isWithoutServers({ code }: Bundle): boolean {
  return !code.includes(WAY_OUT);
}
