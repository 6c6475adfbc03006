import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** As Linux has it for one path. */
const MAX_LINKS = 40;

/**
 * Where a write to an absolute path ends up: all symbolic links are followed, also where they lead to nothing yet. A repository may hold
 * links, so that a path inside of its folder says nothing.
 */
export function realPlace(path: string, links = MAX_LINKS): string {
  try {
    return realpathSync(path);
  } catch {
    // The last part is not there, or leads to nothing.
  }
  if (dirname(path) === path) return path;
  const place = join(realPlace(dirname(path), links), basename(path));
  const target = links > 0 ? linkTarget(place) : undefined;
  return target === undefined ? place : realPlace(resolve(dirname(place), target), links - 1);
}

/** Whether a folder holds a path; both are real. */
export function isInside(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return !isAbsolute(below) && below !== ".." && !below.startsWith(`..${sep}`);
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
