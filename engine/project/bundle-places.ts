import { resolve } from "node:path";
import type { Config } from "../../schemas/config/config.ts";
import type { BundleOptions } from "../bundle/bundle-script.ts";

/** The locations of the modules of a project's scripts, the same for every caller. */
export type BundlePlaces = Omit<BundleOptions, "lockfile">;

/** Where the package of a project lies. */
export function outputFolder(config: Config, out: string = config.out): string {
  return resolve(config.folder, out);
}

export function bundlePlaces(config: Config): BundlePlaces {
  const { folder, bundle } = config;
  return { generatedFolder: outputFolder(config), packages: { folder, allow: bundle.allow } };
}
