import { join } from "node:path";
import type { Config } from "../../schemas/config.ts";
import { generatedOutdated, lockfileMissing } from "../../schemas/errors.ts";
import type { Lockfile } from "../../schemas/lockfile.ts";
import { GENERATOR_VERSION } from "../../templates/emit.ts";
import type { emitChanged } from "./emit-changed.ts";
import { readTextIfPresent } from "./files.ts";
import { generatePackages, outputFolder } from "./generate-packages.ts";
import { lockServers } from "./lock-servers.ts";
import { warnOfSecrets } from "./secrets-in-config.ts";
import { lockfilePath, readLockfile, writeLockfile } from "./lockfile-file.ts";

/** How far preparing may go. */
export interface PrepareOptions {
  /** Write nothing: a missing lockfile or outdated package is an error. */
  frozen: boolean;
  note: (line: string) => void;
  /** Ends servers that are being locked. */
  signal?: AbortSignal;
  /** As for `generatePackages`. */
  emit?: typeof emitChanged;
}

/** Makes sure that scripts can be bundled: locks where there is no lockfile, generates what does not follow from it. */
export async function prepareProject(
  config: Config,
  { emit, ...options }: PrepareOptions,
): Promise<{ lockfile: Lockfile }> {
  const lockfile = await prepareLockfile(config, options);
  const outdated = await outdatedServers(config, lockfile);
  if (outdated.length > 0) {
    if (options.frozen) throw generatedOutdated(outdated.map((id) => `${config.out}/${id}`));
    options.note(`Generating ${outdated.join(", ")} from the lockfile.`);
    await generatePackages({ config, lockfile, ...(emit === undefined ? {} : { emit }) });
  }
  return { lockfile };
}

/** The accepted lockfile; where there is none, all servers are locked first. */
export async function prepareLockfile(config: Config, { frozen, note, signal }: PrepareOptions): Promise<Lockfile> {
  const accepted = await readLockfile(config);
  if (accepted !== undefined) return accepted;
  if (frozen) throw lockfileMissing(lockfilePath(config));
  note("No lockfile yet: locking all servers.");
  const { lockfile } = await lockServers(config, undefined, [], signal === undefined ? {} : { signal });
  await writeLockfile(config, lockfile);
  for (const warning of warnOfSecrets(config)) note(warning);
  return lockfile;
}

/** The servers whose folder was not made from their lock entry by this generator. Cheap: one small file each. */
export async function outdatedServers(config: Config, lockfile: Lockfile): Promise<string[]> {
  const checks = [...lockfile.servers.values()].map(async ({ id, integrity }) => {
    const text = await readTextIfPresent(join(outputFolder(config), id, "tools.json"));
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
