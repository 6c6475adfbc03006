import { existsSync, readlinkSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { placeInProject } from "../../../runtime/files/place-in-project.ts";
import { replaceLink } from "../../../runtime/files/replace-link.ts";
import { realPlace } from "../../../runtime/files/real-place.ts";
import type { Config } from "../../../schemas/config/config.ts";

/** Where the packages are that editors, `tsc` and Node find under our name. Throws the `CodemodeError` `LINK_OUTSIDE`. */
export function ownScope(project: string): string {
  return placeInProject(join(project, "node_modules", "@codemode"), project);
}

/**
 * Links `node_modules/@codemode/servers` to the output folder, so that editors, `tsc` and Node resolve the same import
 * as the sandbox. A real folder in that place (an installed package) is left alone. Returns true when something changed.
 */
export async function linkPackage(config: Config, folder: string): Promise<boolean> {
  const { link, target } = planLink(config.folder, folder);
  const existing = await lstat(link).catch(() => undefined);
  if (existing !== undefined && !existing.isSymbolicLink()) return false;
  if (existing !== undefined && leadsTo(link, target)) return false;
  await replaceLink(link, target);
  return true;
}

/** Whether a project has that link, or an installed package in its place. */
export function isPackageLinked(project: string, folder: string): boolean {
  const { link, target } = planLink(project, folder);
  try {
    return leadsTo(link, target);
  } catch {
    return existsSync(link);
  }
}

/** Whether a link leads to a target. A junction of Windows names its own by the full path, with a separator at its end. */
function leadsTo(link: string, target: string): boolean {
  const folder = dirname(link);
  return resolve(folder, readlinkSync(link)) === resolve(folder, target);
}

/** The system takes a relative target from where the link really is. */
function planLink(project: string, folder: string): { link: string; target: string } {
  const scope = ownScope(project);
  const target = relative(scope, join(realPlace(dirname(folder)), basename(folder)));
  return { link: join(scope, "servers"), target };
}
