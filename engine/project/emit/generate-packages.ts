import { lstat, readdir, readFile, rm, rmdir, stat, unlink } from "node:fs/promises";
import { dirname, join, posix, sep } from "node:path";
import { isLeftDraft } from "../../../runtime/files/drafts.ts";
import { assertSettingTrusted } from "../../../runtime/mcp/trust/assert-trusted.ts";
import { unlessMissing } from "../../../runtime/files/expected-errors.ts";
import type { Config } from "../../../schemas/config/config.ts";
import { outputNotOurs } from "../../../schemas/errors.ts";
import { byCodeUnits } from "../../../schemas/json/canonical-json.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../../../schemas/lock/operations.ts";
import type { OnProgress } from "../../../schemas/progress.ts";
import { emitPackage, type GeneratedFile } from "../../../templates/generated-package.ts";
import { findServer } from "../config/find-server.ts";
import { holdsText, writeManyAtomically } from "../files.ts";
import { outputFolder } from "../project-places.ts";
import {
  type Emission,
  type EmissionRecord,
  emitChanged,
  forgetEmissionRecord,
  readEmissionRecord,
  writeEmissionRecord,
} from "./emit-changed.ts";
import { linkProject } from "./link-project.ts";

/** What to generate and where. */
export interface GenerateOptions {
  config: Config;
  lockfile: Lockfile;
  /** Only these servers' folders; all without names. */
  names?: readonly string[] | undefined;
  /** Replaces the configuration's `out`; taken relative to the project folder. */
  out?: string | undefined;
  /** Emits what has changed; in this process unless given. */
  emit?: typeof emitChanged | undefined;
  /** Called with the servers to emit. */
  onProgress?: OnProgress | undefined;
}

/**
 * Emits files that changed in the lockfile or were edited, and writes the differences. Throws a `CodemodeError` if the configuration
 * names a folder outside of the project without this account's trust.
 */
export async function generatePackages(options: GenerateOptions): Promise<OutputChange> {
  if (options.out === undefined) assertSettingTrusted(options.config, "out");
  const folder = outputFolder(options.config, options.out);
  const known = await readEmissionRecord(options.config);
  const emission = await emitChosen(options, known);
  const change = await writeOutput(folder, emission, scopeOf(options));
  if ([...emission.record].some(([id, server]) => known.get(id) !== server)) {
    const modules = modulesOfLockfile(options.lockfile);
    const others = [...known].filter(([id]) => modules.has(id));
    await writeEmissionRecord(options.config, new Map([...others, ...emission.record]));
  }
  await linkProject(options.config, folder);
  return change;
}

/**
 * Says what `generatePackages` would change, and writes nothing. It believes no record and emits everything; where
 * something differs, the record is dropped, so that the next `generatePackages` does the same.
 */
export async function checkPackages(options: GenerateOptions): Promise<OutputChange> {
  const emission = await emitChosen(options, new Map());
  const change = await compareOutput(outputFolder(options.config, options.out), emission, scopeOf(options));
  if (change.written.length + change.removed.length > 0) await forgetEmissionRecord(options.config);
  return change;
}

/** The `package.json` describes all servers, so that it is always among the files. */
async function emitChosen(options: GenerateOptions, record: EmissionRecord): Promise<Emission> {
  const inScope = scopeOf(options);
  const servers = [...modulesOfLockfile(options.lockfile).values()];
  const chosen = servers.filter(({ id }) => inScope(`${id}/`));
  const emit = options.emit ?? emitChanged;
  const emission = await emit(outputFolder(options.config, options.out), chosen, record, options.onProgress);
  return { ...emission, files: [emitPackage(servers.map(({ id }) => id)), ...emission.files] };
}

/** With names, only the folders of those servers are touched; files at the root describe all and are always written. */
function scopeOf({ config, names = [] }: GenerateOptions): (path: string) => boolean {
  if (names.length === 0) return () => true;
  const folders = names.map((name) => `${findServer(config, name).id}/`);
  return (path) => folders.some((folder) => path.startsWith(folder));
}

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
async function compareOutput(
  folder: string,
  { files, kept }: WantedOutput,
  scope: (path: string) => boolean = () => true,
): Promise<OutputChange> {
  await assertOurs(folder);
  const wanted = new Set([...kept, ...files.map(({ path }) => path)]);
  const present = new Set(await listFiles(folder));
  const differing = files.filter(({ path, text }) => !present.has(path) || !holdsText(join(folder, path), text));
  const stale = [...present].filter((path) => !wanted.has(path) && scope(path));
  return {
    written: differing.map(({ path }) => path).toSorted(byCodeUnits),
    removed: (await withoutDraftsOfOthers(folder, stale)).toSorted(byCodeUnits),
  };
}

/** Another process may generate the same packages now: what it is writing is not stale. */
async function withoutDraftsOfOthers(folder: string, paths: readonly string[]): Promise<string[]> {
  const isBeingWritten = async (path: string): Promise<boolean> => {
    if (!DRAFT.test(path)) return false;
    const written = await stat(join(folder, path)).catch(() => undefined);
    return written === undefined || !isLeftDraft(path, written.mtimeMs);
  };
  const beingWritten = await Promise.all(paths.map(isBeingWritten));
  return paths.filter((_, index) => beingWritten[index] === false);
}

/** A file before it gets its name. */
const DRAFT = /\.[0-9a-f]{12}\.tmp$/;

/** Makes the folder hold what it should: equal files are not touched, stale ones go, each write is atomic. */
export async function writeOutput(
  folder: string,
  wanted: WantedOutput,
  scope?: (path: string) => boolean,
): Promise<OutputChange> {
  const change = await compareOutput(folder, wanted, scope);
  const texts = new Map(wanted.files.map(({ path, text }) => [path, text]));
  const inTheWay = await removeInTheWay(folder, change.written);
  try {
    for (const turn of [isManifest, isPart, isSeal]) {
      const paths = change.written.filter(turn);
      await writeManyAtomically(paths.map((path) => [join(folder, path), texts.get(path) as string]));
    }
  } catch (error) {
    await withdrawSeals(folder, change.written);
    throw error;
  }
  for (const path of change.removed) {
    if (!inTheWay.has(path)) await rm(join(folder, path), { force: true });
    await removeEmptyParents(folder, path);
  }
  await removeEmptyFolders(folder, [...wanted.kept, ...texts.keys()]);
  return change;
}

/** A server that is gone leaves its folder where another program had a file of it open. Folders of servers may be being filled now. */
async function removeEmptyFolders(folder: string, wanted: readonly string[]): Promise<void> {
  const filled = new Set(wanted.map((path) => path.split("/", 1)[0]));
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || filled.has(entry.name) || entry.name === "node_modules") continue;
    const place = join(folder, entry.name);
    const inside = await readdir(place, { withFileTypes: true });
    if (inside.some((one) => !one.isDirectory())) continue;
    if ((await listFiles(place)).length === 0) await rm(place, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** A link in the place of a folder would lead the files below it elsewhere. Returns what was removed. */
async function removeInTheWay(folder: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const parents = new Set(paths.flatMap(parentsOf));
  const inTheWay = new Set<string>();
  // From the root on: nothing is looked at behind a link.
  for (const path of [...parents].toSorted(byCodeUnits)) {
    const found = await lstat(join(folder, path)).catch(unlessMissing);
    if (found === undefined || found.isDirectory()) continue;
    await unlink(join(folder, path));
    inTheWay.add(path);
  }
  return inTheWay;
}

/** `a/b/c` is in `a/b` and `a`. */
function parentsOf(path: string): string[] {
  const parent = posix.dirname(path);
  return parent === "." ? [] : [parent, ...parentsOf(parent)];
}

/** Says whose folder it is. */
const MANIFEST = "package.json";
/** Says which lock entry the files beside it follow from. */
const SEAL = "tools.json";

/** It comes first, so that an unfinished folder is known as ours. */
function isManifest(path: string): boolean {
  return path === MANIFEST;
}

function isPart(path: string): boolean {
  return !isManifest(path) && !isSeal(path);
}

/** They come last, when all else is on the disk, so that no unfinished server passes for done. */
function isSeal(path: string): boolean {
  return path.split("/").length === 2 && path.endsWith(`/${SEAL}`);
}

/** A disk that is full can still delete: servers that were not finished are then emitted by the next command. */
async function withdrawSeals(folder: string, paths: readonly string[]): Promise<void> {
  const servers = new Set(paths.filter((path) => path.includes("/")).map((path) => path.slice(0, path.indexOf("/"))));
  for (const server of servers) await rm(join(folder, server, SEAL), { force: true }).catch(() => undefined);
}

/** Whether something was generated there, at least in part. */
export async function isGenerated(folder: string): Promise<boolean> {
  // One that cannot be read may hold files of another program.
  const entries = (await readdir(folder).catch(unlessMissing)) ?? [];
  return entries.some((name) => !isDraft(name));
}

/** A manifest that was being written when the process was killed. */
function isDraft(name: string): boolean {
  return /^package\.json\.[0-9a-f]{12}\.tmp$/.test(name);
}

/** Overwriting and pruning are only safe in a folder that codemode made, or an empty one. */
async function assertOurs(folder: string): Promise<void> {
  if (!(await isGenerated(folder))) return;
  try {
    const manifest = JSON.parse(await readFile(join(folder, MANIFEST), "utf8")) as { name?: unknown };
    if (manifest.name === "@codemode/servers") return;
  } catch {
    // Without a valid manifest, the folder belongs to another program.
  }
  throw outputNotOurs(folder);
}

/** All files below the folder, which is an absolute path; links are listed, never followed. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(unlessMissing);
  return (entries ?? [])
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(folder.length + 1).replaceAll(sep, "/"));
}

async function removeEmptyParents(folder: string, path: string): Promise<void> {
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) {
    const place = join(folder, parent);
    if (!(await lstat(place)).isDirectory() || (await readdir(place)).length > 0) return;
    await rmdir(place);
  }
}
