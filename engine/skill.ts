import { createHash } from "node:crypto";
import type { Config } from "../schemas/config/config.ts";
import { lockfileMissing } from "../schemas/errors.ts";
import type { JsonObject } from "../schemas/json/json.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import { lockfilePath, readLockfile } from "./project/lockfile-file.ts";
import { describeSkill, printSkill, SKILL_NAME } from "../templates/skill/print-skill.ts";

/** The address of the skill as an MCP resource. */
export const SKILL_URI = `skill://${SKILL_NAME}/SKILL.md`;

/** What starts codemode in a project that has it, on the machine of the agent. */
const COMMAND = "npx --no-install codemode";

/** The text of the skill for these servers. */
export const skillText = (lockfile: Lockfile): string => printSkill(lockfile, COMMAND);

/**
 * The skill of a project, for a file.
 * @param command what starts codemode in its folder
 * @throws CodemodeError `LOCKFILE_MISSING`
 */
export async function printProjectSkill(config: Config, command: string): Promise<string> {
  const lockfile = await readLockfile(config);
  if (lockfile === undefined) throw lockfileMissing(lockfilePath(config));
  return printSkill(lockfile, command);
}

/** The skill as a resource, and as an entry of the Skills extension (io.modelcontextprotocol/skills, SEP-2640). */
export function listSkill(lockfile: Lockfile): { resource: JsonObject; entry: JsonObject } {
  const text = skillText(lockfile);
  const [name, description] = [SKILL_NAME, describeSkill(lockfile)];
  const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  return {
    resource: { uri: SKILL_URI, name, title: "Use codemode from a shell", description, mimeType: "text/markdown" },
    entry: {
      uri: SKILL_URI,
      frontmatter: { name, description },
      resources: [{ uri: SKILL_URI, digest, size: Buffer.byteLength(text) }],
    },
  };
}
