import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { findDependencies, readInstalled, type StockedPackage } from "../publishing/installed-packages.ts";
import { printFigures } from "./figures.ts";
import { publishRelease } from "./publish-release.ts";
import { listOfOtherPlatforms } from "../publishing/other-platforms.ts";
import { type Registry, startRegistry } from "../publishing/registry.ts";

declare module "vitest" {
  interface ProvidedContext {
    release: Release;
  }
}

/** codemode as a release gives it. */
export interface Release {
  /** The address of a registry that has it. */
  registry: string;
  /** A folder with the packed files. */
  packed: string;
  /** The file that tests write their figures into. */
  figures: string;
}

/** What `npm pack` of a clone and a release read; the clone is built. */
const CLONE = [
  ...["package.json", "package-lock.json", "README.md", "LICENSE", "CHANGELOG.md", "deploy/kustomization.yaml"],
  ...["dist", "schemas", "runtime/bindings", "openapi"],
];
/** Servers that the pages name. */
const SERVERS = ["everything", "filesystem", "memory"].map((id) => `node_modules/@modelcontextprotocol/server-${id}`);

/** What vitest runs once before the tests of newcomers: one registry for all of them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-registry-"));
  const registry = await startRegistry(join(folder, "registry"));
  const packed = join(folder, "codemode");
  const figures = join(folder, "figures.jsonl");
  await Promise.all([copyClone(packed), registry.stock(listPackages())]);
  await publishRelease(packed, join(folder, "bin"), registry);
  await packClone(packed, registry);
  project.provide("release", { registry: registry.url, packed, figures });
  return async () => {
    await registry.stop();
    await printFigures(figures);
    await rm(folder, { recursive: true, force: true });
  };
}

async function copyClone(clone: string): Promise<void> {
  await mkdir(clone);
  const isWanted = (path: string): boolean => !relative(resolve("."), path).split(sep).includes("node_modules");
  for (const path of CLONE) await cp(resolve(path), join(clone, path), { recursive: true, filter: isWanted });
}

/** The command of the README, typed in a clone that has been built. */
async function packClone(clone: string, { environment }: Registry): Promise<void> {
  const [command = ""] = /^npm pack .*$/m.exec(await readFile("README.md", "utf8")) ?? [];
  await promisify(execFile)("sh", ["-c", command], { cwd: clone, env: environment });
}

/** All that the packages of this repository and the servers need, as it is installed here, and what other platforms would need. */
function listPackages(): StockedPackage[] {
  const own = [".", "openapi", "runtime/bindings"].flatMap((folder) => findDependencies(resolve(folder)));
  const servers = SERVERS.flatMap((folder) => [readInstalled(resolve(folder)), ...findDependencies(resolve(folder))]);
  const all = [...own, ...servers, ...listOfOtherPlatforms(resolve("."))];
  return [...new Map(all.map((one) => [`${one.manifest.name}@${one.manifest.version}`, one])).values()];
}
