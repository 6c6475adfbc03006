import { existsSync, lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { cacheHome } from "../../runtime/files/cache-folder.ts";
import { stateFolder } from "@codemode/runtime/state-folder";
import { countOf } from "../../schemas/text/count-of.ts";
import { type Finding, info, ok, printBytes, problem, toFinding, warning } from "./doctor-report.ts";

/** Looks at the folders in which codemode keeps something. `project` is the folder of the project. */
export function lookAtFolders(project: string): Finding[] {
  const own = { user: process.getuid?.(), forbidden: 0o077, mayBeRoots: false };
  const shared = { ...own, forbidden: 0o002, mayBeRoots: true };
  const record = join(project, "node_modules", ".cache", "codemode");
  return [
    // Code from an open cache is not used; a login in an open folder is.
    lookAtFolder("cache.cache", "cache", join(cacheHome(), "codemode"), warning, own),
    lookAtFolder("cache.project", "record of the project", record, warning, shared),
    lookAtFolder("cache.credentials", "logins", join(stateFolder(), "credentials"), problem, own),
  ];
}

function lookAtFolder(
  id: string,
  subject: string,
  folder: string,
  whereOpen: typeof warning,
  owner: FolderOwner,
): Finding {
  if (!existsSync(folder)) return toFinding(id, subject, info(`no folder ${folder} yet`));
  const openTo = findOpenings(lstatSync(folder), owner);
  const facts = { folder, ...measure(folder) };
  const found = `${printBytes(facts.bytes)} in ${countOf(facts.files, "file")} in ${folder}`;
  if (openTo.length === 0) return toFinding(id, subject, ok(found), facts);
  const verdict = openTo.includes("a link")
    ? whereOpen(`${found}, which is a link`, `Make ${folder} a folder.`)
    : whereOpen(
        `${found}, which is open to ${openTo.join(" and ")}`,
        `Run \`chmod 700 ${folder}\` as its owner, or remove it.`,
      );
  return toFinding(id, subject, verdict, { ...facts, openTo });
}

/** For whom a folder is meant. */
interface FolderOwner {
  /** The account of this process; undefined on Windows, where neither owner nor mode says anything. */
  user: number | undefined;
  /** Bits of the mode. */
  forbidden: number;
  /** Whether root may own it, as everything in an image does: what is only read need not be the user's, and root can change it anyway. */
  mayBeRoots: boolean;
}

/** Who could do with a folder what should be its owner's alone; empty where all is well. */
export function findOpenings(
  stats: Pick<Stats, "uid" | "mode" | "isSymbolicLink">,
  { user, forbidden, mayBeRoots }: FolderOwner,
): string[] {
  if (stats.isSymbolicLink()) return ["a link"];
  if (user === undefined) return [];
  const open = stats.mode & forbidden;
  const isOwned = stats.uid === user || (mayBeRoots && stats.uid === 0);
  return [
    ...(isOwned ? [] : ["another user"]),
    ...((open & 0o055) === 0 ? [] : ["readers"]),
    ...((open & 0o022) === 0 ? [] : ["writers"]),
  ];
}

/** Of the folder and everything in it. Links are not followed. What vanishes meanwhile counts for nothing. */
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
