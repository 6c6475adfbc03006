import { lstat, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { byCodeUnits } from "../../schemas/canonical-json.ts";
import { outputNotOurs } from "../../schemas/errors.ts";
import type { GeneratedFile } from "../../templates/emit.ts";
import { holdsText, writeTextsAtomically } from "./files.ts";

/** How a folder differs from what was emitted; paths relative to the folder, sorted. */
export interface OutputChange {
  written: string[];
  removed: string[];
}

/** What a folder should hold: files, and paths that are known to be right. */
export interface WantedOutput {
  files: readonly GeneratedFile[];
  kept: readonly string[];
}

/** Compares the folder with what it should hold. `scope` limits what may count as stale. */
export async function compareOutput(
  folder: string,
  { files, kept }: WantedOutput,
  scope: (path: string) => boolean = () => true,
): Promise<OutputChange> {
  await assertOurs(folder);
  const wanted = new Set([...kept, ...files.map(({ path }) => path)]);
  const present = new Set(await listFiles(folder));
  const differing = files.filter(({ path, text }) => !present.has(path) || !holdsText(join(folder, path), text));
  return {
    written: differing.map(({ path }) => path).toSorted(byCodeUnits),
    removed: [...present].filter((path) => !wanted.has(path) && scope(path)),
  };
}

/** Makes the folder hold what it should: equal files are not touched, stale ones go, each write is atomic. */
export async function writeOutput(
  folder: string,
  wanted: WantedOutput,
  scope?: (path: string) => boolean,
): Promise<OutputChange> {
  const change = await compareOutput(folder, wanted, scope);
  const texts = new Map(wanted.files.map(({ path, text }) => [path, text]));
  writeTextsAtomically(change.written.map((path) => [join(folder, path), texts.get(path) as string]));
  for (const path of change.removed) {
    await rm(join(folder, path), { force: true });
    await removeEmptyParents(folder, path);
  }
  return change;
}

/** Overwriting and pruning are only safe in a folder that codemode made, or an empty one. */
async function assertOurs(folder: string): Promise<void> {
  const entries = await readdir(folder).catch(() => []);
  if (entries.length === 0) return;
  try {
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { name?: unknown };
    if (manifest.name === "@codemode/servers") return;
  } catch {
    // No manifest, or a broken one: somebody else's folder.
  }
  throw outputNotOurs(folder);
}

/** All files below the folder, which is an absolute path; links are listed, never followed. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll(sep, "/"),
    )
    .toSorted(byCodeUnits);
}

async function removeEmptyParents(folder: string, path: string): Promise<void> {
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) {
    const place = join(folder, parent);
    if (!(await lstat(place)).isDirectory() || (await readdir(place)).length > 0) return;
    await rmdir(place);
  }
}
