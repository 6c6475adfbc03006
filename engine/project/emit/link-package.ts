import { existsSync, readlinkSync } from "node:fs";
import { lstat, mkdir, readlink, rename, rm, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Config } from "../../../schemas/config/config.ts";

/**
 * Links `node_modules/@codemode/servers` to the output folder, so that editors, `tsc` and Node resolve the same import
 * as the sandbox. A real folder in that place (an installed package) is left alone. Returns true when something changed.
 */
export async function linkPackage(config: Config, folder: string): Promise<boolean> {
  const link = join(config.folder, "node_modules", "@codemode", "servers");
  const target = relative(dirname(link), folder);
  const existing = await lstat(link).catch(() => undefined);
  if (existing !== undefined && !existing.isSymbolicLink()) return false;
  if (existing !== undefined && (await readlink(link)) === target) return false;
  await mkdir(dirname(link), { recursive: true });
  const draft = `${link}.${process.pid}.tmp`;
  await rm(draft, { force: true });
  await symlink(target, draft, "junction");
  await rename(draft, link);
  return true;
}

/** Whether there is such a link, or an installed package in its place. */
export function leadsTo(link: string, folder: string): boolean {
  try {
    return readlinkSync(link) === relative(dirname(link), folder);
  } catch {
    return existsSync(link);
  }
}
