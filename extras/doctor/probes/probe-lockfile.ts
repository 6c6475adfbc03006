import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { readFileSync } from "node:fs";
import { lstat, readlink, realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import type { Config } from "../../../schemas/config/config.ts";
import { LOCKFILE_VERSION, type Lockfile } from "../../../schemas/lock/lockfile.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import { digestOf, readEmissionRecord } from "../../../engine/project/emit/emission-record.ts";
import { outputFolder } from "../../../engine/project/project-places.ts";
import { readLockfile } from "../../../engine/project/lockfile-file.ts";
import { outdatedServers } from "../../../engine/project/prepare-project.ts";

/** The lockfile, or what is wrong with it. */
export type LockfileFacts =
  | { state: "missing" }
  | { state: "broken"; failure: string; hint: string }
  | { state: "ok"; lockfile: Lockfile; version: number };

/** Reads the lockfile of a project folder and checks all that is in it. */
export async function probeLockfile(folder: string): Promise<LockfileFacts> {
  try {
    const lockfile = await readLockfile({ folder });
    return lockfile === undefined ? { state: "missing" } : { state: "ok", lockfile, version: LOCKFILE_VERSION };
  } catch (error) {
    if (!(error instanceof CodemodeError)) throw error;
    return { state: "broken", failure: error.message, hint: error.hint };
  }
}

/** How the generated package follows from the lockfile. */
export interface GeneratedFacts {
  /** Servers whose folder is missing, or was made from another entry or by another generator. */
  outdated: string[];
  /** Files that were changed after they were written; undefined without a record of the written state. */
  edited?: string[] | undefined;
  /** What `@codemode/servers` leads to from the project. */
  link: "here" | "elsewhere" | "installed" | "missing";
  hasRuntime: boolean;
}

/** Looks at what was generated, and emits nothing. */
export async function probeGenerated(config: Config, lockfile: Lockfile): Promise<GeneratedFacts> {
  const folder = outputFolder(config);
  const [outdated, record, link] = await Promise.all([
    outdatedServers(config, lockfile),
    readEmissionRecord(config),
    probeLink(config.folder, folder),
  ]);
  const digests = [...record.values()].flatMap((emitted) => [...emitted.digests]);
  const edited = digests.filter(([path, digest]) => digestAt(join(folder, path)) !== digest).map(([path]) => path);
  return {
    outdated,
    ...withoutUndefined({ edited: record.size === 0 ? undefined : edited }),
    link,
    hasRuntime: resolvesRuntime(config.folder),
  };
}

function digestAt(file: string): string | undefined {
  try {
    return digestOf(readFileSync(file));
  } catch {
    return undefined;
  }
}

async function probeLink(project: string, folder: string): Promise<GeneratedFacts["link"]> {
  const link = join(project, "node_modules", "@codemode", "servers");
  const found = await lstat(link).catch(() => undefined);
  if (found === undefined) return "missing";
  if (!found.isSymbolicLink()) return "installed";
  const target = await readlink(link);
  if (target === relative(dirname(link), folder)) return "here";
  const real = await Promise.all([link, folder].map((path) => realpath(path).catch(() => undefined)));
  return real[0] !== undefined && real[0] === real[1] ? "here" : "elsewhere";
}

function resolvesRuntime(project: string): boolean {
  try {
    createRequire(join(project, "package.json")).resolve("@codemode/runtime/package.json");
    return true;
  } catch {
    return false;
  }
}
