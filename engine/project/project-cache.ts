import { lstatSync } from "node:fs";
import { join } from "node:path";

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
