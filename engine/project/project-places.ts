import { resolve, join } from "node:path";
import type { Config } from "../../schemas/config/config.ts";
import type { BundleOptions } from "../bundle/bundle-script.ts";
import { lstatSync } from "node:fs";

/** The locations of the modules of a project's scripts, the same for every caller. */
export type BundlePlaces = Omit<BundleOptions, "lockfile">;

/** Where the package of a project lies. */
export function outputFolder(config: Config, out: string = config.out): string {
  return resolve(config.folder, out);
}

export function bundlePlaces(config: Config): BundlePlaces {
  const { folder, bundle, memory } = config;
  if (memory !== undefined) return { generatedFolder: "" };
  return { generatedFolder: outputFolder(config), packages: { folder, allow: bundle.allow } };
}

/** Of the folder of a project's caches: what others write there would be believed. */
export const CACHE_MODE = 0o755;

/**
 * The path of a file among the caches of a project. Undefined where a link stands in the way: a cloned repository may hold one, and
 * the file would be written, read and removed where it leads.
 */
export function projectCachePath(projectFolder: string, name: string): string | undefined {
  const caches = join(projectFolder, "node_modules", ".cache");
  const ours = join(caches, "codemode");
  return isLink(caches) || isLink(ours) ? undefined : join(ours, name);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
