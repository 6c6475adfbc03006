import { rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { clientFileRefused, optionInvalid } from "../../schemas/errors.ts";
import { VERSION } from "../../schemas/version.ts";
import { SKILL_NAME } from "../../templates/skill/print-skill.ts";
import type { ClientId, ClientPlaces, ClientScope } from "../../engine/project/clients/client-files.ts";
import { readTextIfPresent, writeAtomically } from "../../engine/project/files.ts";
import type { Launcher } from "./find-launcher.ts";

/** Where a client looks for skills: below the project, and below the home folder unless the path is absolute. */
interface SkillFolders {
  project: string;
  user(places: ClientPlaces): string;
}

const atHome =
  (...path: string[]) =>
  ({ home }: ClientPlaces): string =>
    join(home, ...path);
const inConfig =
  (...path: string[]) =>
  ({ home, env }: ClientPlaces): string =>
    join(env["XDG_CONFIG_HOME"] ?? join(home, ".config"), ...path);

/** From the documents of each client, and for those that could be installed, from their programs. Others have no skills. */
const SKILL_FOLDERS: Partial<Record<ClientId, SkillFolders>> = {
  amp: { project: ".agents/skills", user: inConfig("agents", "skills") },
  "claude-code": {
    project: ".claude/skills",
    user: ({ home, env }) => join(env["CLAUDE_CONFIG_DIR"] ?? join(home, ".claude"), "skills"),
  },
  cline: { project: ".cline/skills", user: atHome(".cline", "skills") },
  codex: {
    project: ".agents/skills",
    user: ({ home, env }) => join(env["CODEX_HOME"] ?? join(home, ".codex"), "skills"),
  },
  continue: { project: ".continue/skills", user: atHome(".continue", "skills") },
  "copilot-cli": { project: ".github/skills", user: atHome(".copilot", "skills") },
  crush: { project: ".crush/skills", user: inConfig("crush", "skills") },
  cursor: { project: ".cursor/skills", user: atHome(".cursor", "skills") },
  gemini: { project: ".gemini/skills", user: atHome(".gemini", "skills") },
  goose: { project: ".agents/skills", user: inConfig("goose", "skills") },
  junie: { project: ".junie/skills", user: atHome(".junie", "skills") },
  kilo: { project: ".kilo/skills", user: atHome(".kilo", "skills") },
  opencode: { project: ".opencode/skills", user: inConfig("opencode", "skills") },
  qwen: { project: ".qwen/skills", user: atHome(".qwen", "skills") },
  roo: { project: ".roo/skills", user: atHome(".roo", "skills") },
  vscode: { project: ".github/skills", user: atHome(".copilot", "skills") },
  windsurf: { project: ".windsurf/skills", user: atHome(".codeium", "windsurf", "skills") },
};

/** A skill's file of a client. */
export interface SkillFile {
  scope: ClientScope;
  path: string;
}

/** Where the skill belongs. Throws for a client that has no skills. */
export function findSkillFile(client: ClientId, scope: ClientScope, places: ClientPlaces): SkillFile {
  const folders = SKILL_FOLDERS[client];
  if (folders === undefined) throw optionInvalid("--skill", `${client} has no folder for skills`);
  const folder = scope === "project" ? join(places.folder, folders.project) : folders.user(places);
  return { scope, path: join(folder, SKILL_NAME, "SKILL.md") };
}

/** Whether a client has a folder for skills. */
export function hasSkills(client: ClientId): boolean {
  return SKILL_FOLDERS[client] !== undefined;
}

/** How a shell starts codemode in the project, or below. */
export function skillCommand(launcher: Launcher): string {
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
