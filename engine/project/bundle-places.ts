import type { Config } from "../../schemas/config/config.ts";
import type { BundleOptions } from "../bundle/bundle-script.ts";
import { outputFolder } from "./emit/generate-packages.ts";

/** The locations of the modules of a project's scripts, the same for every caller. */
export type BundlePlaces = Omit<BundleOptions, "lockfile">;

export function bundlePlaces(config: Config): BundlePlaces {
  const { folder, bundle } = config;
  return { generatedFolder: outputFolder(config), packages: { folder, allow: bundle.allow } };
}
