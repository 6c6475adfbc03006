import { existsSync, readlinkSync } from "node:fs";
import { join, basename, dirname, relative, resolve } from "node:path";
import type { Config } from "../../../schemas/config/config.ts";
import { lstat } from "node:fs/promises";
import { placeInProject } from "../../../runtime/files/place-in-project.ts";
import { replaceLink } from "../../../runtime/files/replace-link.ts";
import { realPlace } from "../../../runtime/files/real-place.ts";
import { createRequire } from "node:module";
import { VERSION } from "../../../schemas/version.ts";
import { SANDBOX_GLOBALS } from "../../check/sandbox-globals.ts";
import { readTextIfPresent, writeAtomically } from "../files.ts";

/**
 * Makes `@codemode/*` resolve in a project, for editors, compilers and Node. Scripts in the sandbox need no link: a file system that has none (FAT,
 * some network drives) stops nothing, and `describeUnlinked` says so.
 * @throws CodemodeError `LINK_OUTSIDE`
 */
export async function linkProject(config: Config, folder: string): Promise<void> {
  await unlessLinkless(() => linkPackage(config, folder));
  await linkRuntime(config.folder);
}

/** What file systems say that have no links, or that may not be written. */
const LINKLESS: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EINVAL",
  "EROFS",
  "EACCES",
]);

async function unlessLinkless(link: () => Promise<unknown>): Promise<void> {
  try {
    await link();
  } catch (error) {
    if (!LINKLESS.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** A line for where the packages could not be linked; undefined where editors find them. */
export function describeUnlinked({ folder }: Pick<Config, "folder">, generated: string): string | undefined {
  if (isPackageLinked(folder, generated)) return undefined;
  const place = join(folder, "node_modules", "@codemode", "servers");
  return `warning: ${place} could not be linked, as on a drive without links: scripts run, but editors, tsc and Node find no types there.`;
}

/**
 * Links again what `npm install` has removed: npm takes packages that no `package.json` names out of `node_modules`. Four looks at the
 * disk where nothing is missing. A `node_modules` that cannot be written stops nothing: scripts in the sandbox need no link.
 */
export async function relinkProject(config: Config, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  try {
    if (!isComplete(config.folder, folder)) await linkProject(config, folder);
  } catch {
    // The next `generate` says why.
  }
}

function isComplete(project: string, folder: string): boolean {
  const scope = ownScope(project);
  return isPackageLinked(project, folder) && OWN_PACKAGES.every((name) => isThere(join(scope, name)));
}

function isThere(folder: string): boolean {
  return existsSync(join(folder, "package.json"));
}

/** Where the packages are that editors, `tsc` and Node find under our name. Throws the `CodemodeError` `LINK_OUTSIDE`. */
function ownScope(project: string): string {
  return placeInProject(join(project, "node_modules", "@codemode"), project);
}

/**
 * Links `node_modules/@codemode/servers` to the output folder, so that editors, `tsc` and Node resolve the same import
 * as the sandbox. A real folder in that place (an installed package) is left alone. Returns true when something changed.
 */
export async function linkPackage(config: Config, folder: string): Promise<boolean> {
  const { link, target } = planLink(config.folder, folder);
  const existing = await lstat(link).catch(() => undefined);
  if (existing !== undefined && !existing.isSymbolicLink()) return false;
  if (existing !== undefined && leadsTo(link, target)) return false;
  await replaceLink(link, target);
  return true;
}

/** Whether a project has that link, or an installed package in its place. */
export function isPackageLinked(project: string, folder: string): boolean {
  const { link, target } = planLink(project, folder);
  try {
    return leadsTo(link, target);
  } catch {
    return existsSync(link);
  }
}

/** Whether a link leads to a target. A junction of Windows names its own by the full path, with a separator at its end. */
function leadsTo(link: string, target: string): boolean {
  const folder = dirname(link);
  return resolve(folder, readlinkSync(link)) === resolve(folder, target);
}

/** The system takes a relative target from where the link really is. */
function planLink(project: string, folder: string): { link: string; target: string } {
  const scope = ownScope(project);
  const target = relative(scope, join(realPlace(dirname(folder)), basename(folder)));
  return { link: join(scope, "servers"), target };
}

/** The mark of codemode's own packages, which separates them from others of the same name. */
const MARK = "Written by codemode so that editors and compilers know what its sandbox has.";

/** Packages that exist in the sandbox alone, as files of a package each. */
const PACKAGES: { [name: string]: { [file: string]: string } } = {
  discovery: reexport("discovery"),
  errors: reexport("errors"),
  results: reexport("results"),
  // For "types" in a tsconfig.json: what a script has without any import.
  sandbox: {
    "package.json": toManifest("sandbox", { types: "./index.d.ts" }),
    "index.d.ts": SANDBOX_GLOBALS.trimStart(),
  },
};

/** The names of these packages, below `@codemode`. */
const OWN_PACKAGES: readonly string[] = Object.keys(PACKAGES);

/**
 * Makes `@codemode/runtime`, `@codemode/errors`, `@codemode/discovery` and `@codemode/results` resolve in a project as they do in the sandbox. They
 * re-export the runtime that bindings import, so that an error of a binding is an instance of the class that is imported.
 * What is installed already is left alone.
 */
export async function linkRuntime(folder: string): Promise<void> {
  await unlessLinkless(() => linkOwnRuntime(folder));
  for (const [name, files] of Object.entries(PACKAGES)) {
    const target = join(folder, "node_modules", "@codemode", name);
    const manifest = await readTextIfPresent(join(target, "package.json"));
    if (manifest !== undefined && !manifest.includes(MARK)) continue;
    for (const [file, text] of Object.entries(files)) {
      const path = join(target, file);
      if ((await readTextIfPresent(path)) !== text)
        await writeAtomically(path, text, { project: folder, isFlushed: false });
    }
  }
}

/** Where codemode is installed elsewhere, or its dependencies are hidden from the project, the project gets a link to its runtime. */
async function linkOwnRuntime(folder: string): Promise<void> {
  const fromProject = createRequire(join(folder, "package.json"));
  try {
    fromProject.resolve("@codemode/runtime/package.json");
    return;
  } catch {
    // Not there, or a link that leads nowhere any more.
  }
  const link = join(ownScope(folder), "runtime");
  const existing = await lstat(link).catch(() => undefined);
  if (existing !== undefined && !existing.isSymbolicLink()) return;
  const target = dirname(createRequire(import.meta.url).resolve("@codemode/runtime/package.json"));
  await replaceLink(link, target);
}

function reexport(name: string): { [file: string]: string } {
  const text = `export * from "@codemode/runtime/${name}";\n`;
  const exports = { ".": { types: "./index.d.ts", default: "./index.js" } };
  return { "package.json": toManifest(name, { exports }), "index.js": text, "index.d.ts": text };
}

function toManifest(name: string, entries: object): string {
  const manifest = { name: `@codemode/${name}`, version: VERSION, description: MARK, private: true, type: "module" };
  return `${JSON.stringify({ ...manifest, sideEffects: false, ...entries }, null, 2)}\n`;
}
