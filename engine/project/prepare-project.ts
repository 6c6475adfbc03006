import { join } from "node:path";
import type { Config } from "../../schemas/config/config.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { generatedOutdated, lockfileMissing } from "../../schemas/errors.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { isProgram } from "../../schemas/config/program-server.ts";
import { GENERATOR_VERSION } from "../../templates/generated-package.ts";
import { NO_SERVERS } from "./script.ts";
import { outputFolder } from "./project-places.ts";
import type { emitChanged } from "./emit/emit-changed.ts";
import { readTextIfPresent } from "./files.ts";
import { describeUnlinked, relinkProject } from "./emit/link-project.ts";
import { warnOfSecrets } from "../../schemas/secrets/secrets-in-config.ts";
import { lockfilePath, readLockfile, writeLockfile } from "./lockfile-file.ts";
import type { ShowWork } from "../../schemas/progress.ts";

/** How far preparing may go. */
export interface ProjectPreparation {
  /** Lock nothing and change no package that is there: a missing lockfile or an outdated package is an error. */
  frozen: boolean;
  note: (line: string) => void;
  /** For servers that cannot be locked; `note` unless given. */
  warn?: ((line: string) => void) | undefined;
  /** For the first lock, which may take long. */
  showProgress?: ShowWork | undefined;
  /** Ends servers that are being locked. */
  signal?: AbortSignal | undefined;
  /** The lockfile, where it is being read already. Undefined as for none: it is looked for again. */
  locked?: Promise<Lockfile | undefined> | undefined;
  /** Where the values of placeholders come from; `process.env` unless given. */
  env?: NodeJS.ProcessEnv | undefined;
  /** As for `generatePackages`. */
  emit?: typeof emitChanged | undefined;
}

/**
 * Makes sure that scripts can be bundled: locks if there is no lockfile, generates what does not follow from it, and links what an
 * `npm install` has removed. A package that was never generated here is made even if frozen: it says nothing that the lockfile does not.
 */
export async function prepareProject(config: Config, { emit, ...options }: ProjectPreparation): Promise<Lockfile> {
  const lockfile = await prepareLockfile(config, options);
  if (config.memory !== undefined) return lockfile;
  const outdated = await outdatedServers(config, lockfile);
  if (outdated.length === 0) {
    await relinkProject(config, outputFolder(config));
    return lockfile;
  }
  const { generatePackages, isGenerated } = await import("./emit/generate-packages.ts");
  if (options.frozen && (await isGenerated(outputFolder(config)))) {
    throw generatedOutdated(outdated.map((id) => `${config.out}/${id}`));
  }
  options.note(`Generating ${outdated.join(", ")} from the lockfile.`);
  try {
    await generatePackages({ config, lockfile, emit });
    const unlinked = describeUnlinked(config, outputFolder(config));
    if (unlinked !== undefined) options.note(unlinked);
  } catch (error) {
    // The packages are written. Editors do not find them through a foreign `node_modules`; scripts need no link.
    if (!(error instanceof CodemodeError) || error.code !== "LINK_OUTSIDE") throw error;
    options.note(`${error.message} ${error.hint}`);
  }
  return lockfile;
}

/** The accepted lockfile. Without one, all servers are locked first; servers that do not answer are named and left out. */
export async function prepareLockfile(
  config: Config,
  { frozen, note, warn = note, showProgress, signal, env, locked }: ProjectPreparation,
): Promise<Lockfile> {
  const accepted = (await locked) ?? (await readLockfile(config));
  if (accepted !== undefined) return accepted;
  if (frozen) throw lockfileMissing(lockfilePath(config));
  const { isWorthWriting, lockServers } = await import("./lock-servers.ts");
  note("No lockfile yet: locking all servers.");
  const progress = showProgress?.("Locking");
  const watch = { onProgress: progress?.update, signal, env };
  const outcome = await lockServers(config, undefined, [], watch).finally(() => progress?.end());
  for (const { error } of outcome.failures) warn(`Not locked: ${error.message} ${error.hint}`);
  if (isWorthWriting(outcome)) await writeLockfile(config, outcome.lockfile);
  for (const warning of warnOfSecrets(config)) warn(warning);
  return outcome.lockfile;
}

/** The servers whose folder was not made from their lock entry by this generator. Cheap: one small file each. */
export async function outdatedServers(config: Config, lockfile: Lockfile): Promise<string[]> {
  const generated = [...lockfile.servers.values()].filter((server) => !isProgram(server));
  const checks = generated.map(async ({ id, integrity }) => {
    const text = await readTextIfPresent(join(outputFolder(config), id, "tools.json"), "lock");
    return isCurrent(text, integrity) ? [] : [id];
  });
  return (await Promise.all(checks)).flat();
}

function isCurrent(text: string | undefined, integrity: string): boolean {
  if (text === undefined) return false;
  try {
    const { serverIntegrity, generatorVersion } = JSON.parse(text) as { [key: string]: unknown };
    return serverIntegrity === integrity && generatorVersion === GENERATOR_VERSION;
  } catch {
    return false;
  }
}

/**
 * As `prepareProject`, but where there is no lockfile yet, a script that uses no server has none started for it.
 * @param needsNoServer asked where there is none
 */
export async function prepareForScript(
  config: Config,
  needsNoServer: () => Promise<boolean>,
  options: ProjectPreparation,
): Promise<Lockfile> {
  const locked = await readLockfile(config);
  if (locked === undefined && !options.frozen && (await needsNoServer())) return NO_SERVERS;
  return prepareProject(config, { ...options, locked: Promise.resolve(locked) });
}

/** The lockfile for a script that is bundled already: nothing is locked or generated. */
export async function prepareForBundle(config: Config, needsNoServer: () => Promise<boolean>): Promise<Lockfile> {
  const locked = await readLockfile(config);
  if (locked !== undefined) return locked;
  if (await needsNoServer()) return NO_SERVERS;
  throw lockfileMissing(lockfilePath(config));
}
