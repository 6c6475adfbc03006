import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** The files that may hold a configuration, in the order in which a folder is searched. */
const FILES = ["codemode.config.json", ".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"];

/** What a search came to. */
export interface ConfigurationSearch {
  /** The configuration; undefined where there is none. */
  file: string | undefined;
  /** Files above the folder that another user can write, so that they are not taken. */
  refused: string[];
}

/**
 * The first configuration file of a folder, or of the nearest folder above it that has one. It names programs that will be started, so
 * above the folder a file counts only if no other user can have put it there: in a shared place such as `/tmp` everybody can. The home
 * folder and the root are not searched from below: what lies there belongs to no project, but to the account or the machine.
 */
export function findConfiguration(folder: string, home: string = homedir()): ConfigurationSearch {
  const refused: string[] = [];
  const homes = [home, realPathOf(home)];
  for (let place = folder; ; place = dirname(place)) {
    const isStart = place === folder;
    if (!isStart && (homes.includes(place) || dirname(place) === place)) return { file: undefined, refused };
    for (const name of FILES) {
      const file = join(place, name);
      if (statOf(file) === undefined) continue;
      if (isStart || isOnlyOurs(file, place)) return { file, refused };
      refused.push(file);
    }
    if (dirname(place) === place) return { file: undefined, refused };
  }
}

/** Whether no other user can write the file, what it links to, or the folders from the project's down to it. Windows tells no owners. */
function isOnlyOurs(file: string, project: string): boolean {
  const uid = process.getuid?.();
  if (uid === undefined) return true;
  const folders = dirname(file) === project ? [project] : [project, dirname(file)];
  const facts = [statOf(file), lstatSync(file, { throwIfNoEntry: false }), ...folders.map(statOf)];
  return facts.every((found) => found !== undefined && [uid, 0].includes(found.uid) && !isShared(found));
}

/** Whether everybody may write it. The mode of a symbolic link says nothing. */
function isShared(found: Stats): boolean {
  return !found.isSymbolicLink() && (found.mode & 0o002) !== 0;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // Such as a link to itself, or a folder that this user may not enter.
    return undefined;
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
