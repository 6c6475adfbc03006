import { existsSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";

/** The path of a file below the top of its Git repository, with `/`; only its name where it is in none. */
export function placeInRepository(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    // A file in worktrees and submodules.
    if (existsSync(join(folder, ".git"))) return relative(folder, file).split(sep).join("/");
    if (folder === dirname(folder)) return basename(file);
  }
}
