import { join } from "node:path";
import { DEFAULT_OUT } from "../../../schemas/config/config.ts";
import { readTextIfPresent, writeAtomically } from "../files.ts";

/** What follows from other files, what a widely used server leaves in its folder, and the backups of `install --move`, which may hold secrets. */
const IGNORED = ["node_modules/", `${DEFAULT_OUT}/`, ".playwright-mcp/", "*.codemode-backup"];

/** Adds to `.gitignore` what it lacks; lines that are there stay, and so does what they decide. Returns what to tell the user. */
export async function writeGitignore(folder: string): Promise<string> {
  const file = join(folder, ".gitignore");
  const text = await readTextIfPresent(file);
  const decided = new Set((text ?? "").split(/\r?\n/).map(toEntry));
  const missing = IGNORED.filter((line) => !decided.has(toEntry(line)));
  if (missing.length === 0) return ".gitignore stays as it is.";
  const before = text === undefined || text === "" || text.endsWith("\n") ? (text ?? "") : `${text}\n`;
  await writeAtomically(file, `${before}${missing.join("\n")}\n`, { project: folder });
  return `${text === undefined ? "Wrote" : "Added to"} .gitignore: ${missing.join(", ")}`;
}

/** What a line decides about: `/generated`, `generated/` and `!generated/` are about the same folder. */
function toEntry(line: string): string {
  return line
    .trim()
    .replace(/^!?\/?/, "")
    .replace(/\/\*{0,2}$/, "");
}
