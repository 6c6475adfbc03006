import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Whether what npm has recorded about `node_modules` is what the lockfile of a folder names. Packages of other platforms may be missing.
 * @param {string} folder
 */
export async function isInstalled(folder) {
  const locked = await readPackages(join(folder, "package-lock.json"));
  const installed = await readPackages(join(folder, "node_modules/.package-lock.json")).catch(() => ({}));
  return Object.entries(locked).every(([path, { integrity, version, link, optional, devOptional }]) => {
    if (!path.includes("node_modules/") || optional === true || devOptional === true) return true;
    const found = installed[path];
    return found !== undefined && found.integrity === integrity && found.version === version && found.link === link;
  });
}

/**
 * The part of a lockfile of npm that is read here: packages by their folder.
 * @returns {Promise<{ [folder: string]: { version?: string; integrity?: string; link?: boolean; optional?: boolean; devOptional?: boolean } }>}
 */
async function readPackages(file) {
  return JSON.parse(await readFile(file, "utf8")).packages;
}
