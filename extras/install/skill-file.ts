import { rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { clientFileRefused, optionInvalid } from "../../schemas/errors.ts";
import { VERSION } from "../../schemas/version.ts";
import { SKILL_NAME } from "../../templates/skill/print-skill.ts";
import type { ClientId, ClientPlaces, ClientScope } from "../../engine/project/clients/client-files.ts";
import { readTextIfPresent, writeAtomically } from "../../engine/project/files.ts";
import { CLIENTS } from "./clients.ts";
import type { InstalledProgram } from "./find-launcher.ts";

/** A skill's file of a client. */
export interface SkillFile {
  scope: ClientScope;
  path: string;
}

/** Where the skill belongs. Throws for a client that has no skills. */
export function findSkillFile(client: ClientId, scope: ClientScope, places: ClientPlaces): SkillFile {
  const folders = CLIENTS[client].skills;
  if (folders === undefined) throw optionInvalid("--skill", `${client} has no folder for skills`);
  const folder = scope === "project" ? join(places.folder, folders.project) : folders.user(places);
  return { scope, path: join(folder, SKILL_NAME, "SKILL.md") };
}

/** Whether a client has a folder for skills. */
export function hasSkills(client: ClientId): boolean {
  return CLIENTS[client].skills !== undefined;
}

/** How a shell starts codemode in the project, or below. */
export function skillCommand(launcher: InstalledProgram): string {
  if (launcher.kind === "project") return "npx --no-install codemode";
  if (launcher.kind === "npx") return `npx -y codemode@${VERSION}`;
  return launcher.kind === "global" ? "codemode" : `node '${launcher.file.replaceAll("'", "'\\''")}'`;
}

/** Writes the skill; resolves to whether anything changed. Another skill of that name is replaced with `force` only. */
export async function writeSkill(
  { path, scope }: SkillFile,
  text: string,
  folder: string,
  force: boolean,
): Promise<boolean> {
  const before = await readTextIfPresent(path);
  if (before === text) return false;
  if (before !== undefined && !isOurs(before) && !force) {
    throw clientFileRefused(
      path,
      "is a skill of that name already, which is not codemode's",
      "Replace it with --force.",
    );
  }
  await writeAtomically(path, text, { project: scope === "project" ? folder : undefined });
  return true;
}

/** Removes the skill and its folder, if nothing else is in that; resolves to whether there was one of ours. */
export async function removeSkill({ path }: SkillFile): Promise<boolean> {
  const text = await readTextIfPresent(path);
  if (text === undefined || !isOurs(text)) return false;
  await rm(path);
  await rmdir(dirname(path)).catch(() => undefined);
  return true;
}

function isOurs(text: string): boolean {
  return text.startsWith(`---\nname: ${SKILL_NAME}\n`) && text.includes("\n# codemode\n");
}
