import { assertOutputTrusted } from "../../../runtime/mcp/trust/assert-trusted.ts";
import type { Config } from "../../../schemas/config/config.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../../../schemas/lock/operations.ts";
import { emitPackage } from "../../../templates/generated-package.ts";
import { type Emission, emitChanged } from "./emit-changed.ts";
import {
  type EmissionRecord,
  forgetEmissionRecord,
  readEmissionRecord,
  writeEmissionRecord,
} from "./emission-record.ts";
import { outputFolder } from "../project-places.ts";
import { findServer } from "../config/find-server.ts";
import { linkProject } from "./link-project.ts";
import type { OnProgress } from "../../../schemas/progress.ts";
import { compareOutput, type OutputChange, writeOutput } from "./output-folder.ts";

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
  if (options.out === undefined) assertOutputTrusted(options.config);
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
