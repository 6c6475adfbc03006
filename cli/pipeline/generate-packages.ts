import { resolve } from "node:path";
import { type Config } from "../../schemas/config.ts";
import { type Lockfile } from "../../schemas/lockfile.ts";
import { type GeneratedFile } from "../../templates/emit.ts";
import { findServer } from "./lock-servers.ts";
import { linkPackage } from "./link-package.ts";
import { compareOutput, type OutputChange, writeOutput } from "./output-folder.ts";

/** What to generate and where. */
export interface GenerateOptions {
  config: Config;
  lockfile: Lockfile;
  /** Only these servers' folders; all without names. */
  names?: readonly string[];
  /** Replaces the configuration's `out`; taken relative to the project folder. */
  out?: string;
}

/** Emits the server packages from the lockfile and writes what differs. */
export async function generatePackages(options: GenerateOptions): Promise<OutputChange> {
  const folder = outputFolder(options.config, options.out);
  const change = await writeOutput(folder, await emitChosen(options), scopeOf(options));
  await linkPackage(options.config, folder);
  return change;
}

/** Says what `generatePackages` would change, and writes nothing. */
export async function checkPackages(options: GenerateOptions): Promise<OutputChange> {
  return compareOutput(outputFolder(options.config, options.out), await emitChosen(options), scopeOf(options));
}

/** Where the package of a project lies. */
export function outputFolder(config: Config, out: string = config.out): string {
  return resolve(config.folder, out);
}

async function emitChosen(options: GenerateOptions): Promise<GeneratedFile[]> {
  const [{ planServers }, { emitServers }] = await Promise.all([
    import("../../templates/plan.ts"),
    import("../../templates/emit.ts"),
  ]);
  const files = await emitServers(planServers(options.lockfile));
  return files.filter(({ path }) => scopeOf(options)(path) || !path.includes("/"));
}

/** With names, only the folders of those servers are touched; files at the root describe all and are always written. */
function scopeOf({ config, names = [] }: GenerateOptions): (path: string) => boolean {
  if (names.length === 0) return () => true;
  const folders = names.map((name) => `${findServer(config, name).id}/`);
  return (path) => folders.some((folder) => path.startsWith(folder));
}
