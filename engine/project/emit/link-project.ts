import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../../schemas/config/config.ts";
import { isPackageLinked, linkPackage, ownScope } from "./link-package.ts";
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
  try {
    if (!isComplete(config.folder, folder)) await linkProject(config, folder);
  } catch {
    // The next `generate` says why.
  }
}

function isComplete(project: string, folder: string): boolean {
  const scope = ownScope(project);
  return isPackageLinked(project, folder) && OWN_PACKAGES.every((name) => isThere(join(scope, name)));
}

function isThere(folder: string): boolean {
  return existsSync(join(folder, "package.json"));
}
