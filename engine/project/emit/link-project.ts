import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../../schemas/config/config.ts";
import { leadsTo, linkPackage } from "./link-package.ts";
import { linkRuntime, OWN_PACKAGES } from "./link-runtime.ts";

/** Makes `@codemode/*` resolve in a project, for editors, compilers and Node. */
export async function linkProject(config: Config, folder: string): Promise<void> {
  await linkPackage(config, folder);
  await linkRuntime(config.folder);
}

/**
 * Links again what `npm install` has removed: npm takes packages that no `package.json` names out of `node_modules`. Four looks at the
 * disk where nothing is missing. A `node_modules` that cannot be written stops nothing: scripts in the sandbox need no link.
 */
export async function relinkProject(config: Config, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const scope = join(config.folder, "node_modules", "@codemode");
  const isComplete =
    leadsTo(join(scope, "servers"), folder) && OWN_PACKAGES.every((name) => isThere(join(scope, name)));
  if (!isComplete) await linkProject(config, folder).catch(() => undefined);
}

function isThere(folder: string): boolean {
  return existsSync(join(folder, "package.json"));
}
