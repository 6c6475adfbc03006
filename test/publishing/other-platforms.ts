import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { StockedPackage } from "./installed-packages.ts";

/** An entry of npm's lockfile. */
interface LockedPackage {
  version: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optional?: boolean;
  dev?: boolean;
}

/** Packages that a lockfile names for other platforms alone: managers ask for them by name everywhere, and install them nowhere here. They are empty. */
export function listOfOtherPlatforms(root: string): StockedPackage[] {
  const read = (file: string): { packages: { [folder: string]: LockedPackage } } =>
    JSON.parse(readFileSync(join(root, file), "utf8")) as { packages: { [folder: string]: LockedPackage } };
  const installed = read("node_modules/.package-lock.json").packages;
  return Object.entries(read("package-lock.json").packages).flatMap(
    ([path, { version, os, cpu, libc, optional, dev }]) => {
      if (optional !== true || dev === true || Object.hasOwn(installed, path)) return [];
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      return [{ manifest: { name, version, ...withoutUndefined({ os, cpu, libc }) } }];
    },
  );
}
