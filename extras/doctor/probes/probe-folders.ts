import { existsSync, lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { cacheHome } from "../../../runtime/files/cache-folder.ts";
import { stateFolder } from "@codemode/runtime/state-folder";

/** A folder of codemode's own. */
export interface FolderFacts {
  id: "cache" | "project" | "credentials";
  path: string;
  /** Of the folder and everything in it, where it is there. */
  bytes?: number | undefined;
  files?: number | undefined;
  /** Who could do what should be the user's alone; empty where all is well. */
  openTo: ("another user" | "readers" | "writers" | "a link")[];
}

/** Looks at the folders in which codemode keeps something. `projectFolder` is that of the project. */
export function probeFolders(projectFolder: string): FolderFacts[] {
  return [
    probeFolder("cache", join(cacheHome(), "codemode"), 0o077),
    probeFolder("project", join(projectFolder, "node_modules", ".cache", "codemode"), 0o002),
    probeFolder("credentials", join(stateFolder(), "credentials"), 0o077),
  ];
}

function probeFolder(id: FolderFacts["id"], path: string, forbidden: number): FolderFacts {
  if (!existsSync(path)) return { id, path, openTo: [] };
  const openTo = findOpenings(lstatSync(path), { user: process.getuid?.(), forbidden, mayBeRoots: id === "project" });
  return { id, path, ...measure(path), openTo };
}

/** For whom a folder is meant. */
export interface FolderOwner {
  /** The account of this process; undefined on Windows, where neither owner nor mode says anything. */
  user: number | undefined;
  /** Bits of the mode. */
  forbidden: number;
  /** Whether root may own it, as everything in an image does: what is only read need not be the user's, and root can change it anyway. */
  mayBeRoots: boolean;
}

/** Who could do with a folder what should be its owner's alone. */
export function findOpenings(
  stats: Pick<Stats, "uid" | "mode" | "isSymbolicLink">,
  { user, forbidden, mayBeRoots }: FolderOwner,
): FolderFacts["openTo"] {
  if (stats.isSymbolicLink()) return ["a link"];
  if (user === undefined) return [];
  const open = stats.mode & forbidden;
  const isOwned = stats.uid === user || (mayBeRoots && stats.uid === 0);
  return [
    ...(isOwned ? [] : (["another user"] as const)),
    ...((open & 0o055) === 0 ? [] : (["readers"] as const)),
    ...((open & 0o022) === 0 ? [] : (["writers"] as const)),
  ];
}

/** Links are not followed. What vanishes meanwhile counts for nothing. */
function measure(path: string): { bytes: number; files: number } {
  try {
    const entries = readdirSync(path, { recursive: true, withFileTypes: true });
    const sizes = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => lstatSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0);
    return { bytes: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length };
  } catch {
    return { bytes: 0, files: 0 };
  }
}
