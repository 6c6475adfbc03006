import { existsSync, lstatSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { formatArchive } from "../../extras/publish/format-tarball.ts";

/** What a registry gets. */
export interface StockedPackage {
  manifest: Manifest;
  /** Where its files are; absent for a package that has none. */
  folder?: string;
}

/** A package in a `node_modules` of this repository. */
export interface InstalledPackage extends StockedPackage {
  folder: string;
}

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** The packages that the package in a folder needs, as they are installed here; those of this repository not included. */
export function findDependencies(folder: string): InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  const visit = ({ folder, manifest }: InstalledPackage): void => {
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const dependency = findInstalled(name, folder);
      if (dependency === undefined || found.has(dependency.folder)) continue;
      found.set(dependency.folder, dependency);
      visit(dependency);
    }
  };
  visit(readInstalled(folder));
  return [...found.values()].filter(({ folder }) => !lstatSync(folder).isSymbolicLink());
}

/** As Node would find it. */
function findInstalled(name: string, from: string): InstalledPackage | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, "node_modules", name);
    if (existsSync(join(place, "package.json"))) return readInstalled(place);
    if (folder === dirname(folder)) return undefined;
  }
}

/** The package in a folder. */
export function readInstalled(folder: string): InstalledPackage {
  return { folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest };
}

/** The tarball of a package: what its authors published, packed once more. */
export async function packInstalled({ folder, manifest }: StockedPackage): Promise<Buffer> {
  const files = folder === undefined ? [describePackage(manifest)] : await readFiles(folder);
  return gzipSync(await formatArchive(files), { level: 1 });
}

function describePackage(manifest: Manifest): { path: string; content: Buffer } {
  return { path: "package.json", content: Buffer.from(JSON.stringify(manifest)) };
}

async function readFiles(folder: string): Promise<{ path: string; content: Buffer }[]> {
  // `codemode pack` makes no such path; pino's dependency thread-stream has one, among its tests.
  const paths = (await listFiles(folder)).filter((path) => !path.includes(" "));
  return Promise.all(paths.map(async (path) => ({ path, content: await readFile(join(folder, path)) })));
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const lists = entries.map(async (entry) => {
    if (entry.isFile()) return [entry.name];
    if (!entry.isDirectory() || entry.name === "node_modules") return [];
    return (await listFiles(join(folder, entry.name))).map((path) => `${entry.name}/${path}`);
  });
  return (await Promise.all(lists)).flat();
}
