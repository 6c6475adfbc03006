import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCacheFolder } from "../../../runtime/files/cache-folder.ts";
import { readSealed, writeSealed } from "../../../runtime/files/sealed-file.ts";
import { sortedJson } from "../../../schemas/json/canonical-json.ts";
import { asJson } from "../../../schemas/json/json.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { modulesOf } from "../../../schemas/lock/operations.ts";
import { emitPackage, GENERATOR_VERSION } from "../../../templates/generated-package.ts";
import {
  type EmissionRecord,
  formatEmissionRecord,
  parseEmissionRecord,
  type emitChanged,
  findEmitted,
} from "./emit-changed.ts";
import { writeOutput } from "./generate-packages.ts";

/** A package of this age is of no host any more. */
const OLD_MS = 24 * 3600_000;

/**
 * Emits the package of a lock entry that is not in the lockfile on disk, and gives its folder: in the user's cache, where the same entry
 * has the same folder. One that is there as it was emitted is left as it is. The packages of the project stay as they are.
 */
export async function emitOffered(server: LockedServer, emit: typeof emitChanged): Promise<string> {
  const { packageFolder: _, ...entry } = server;
  const digest = createHash("sha256").update(sortedJson([GENERATOR_VERSION, asJson(entry)]));
  const name = digest.digest("hex").slice(0, 32);
  const cache = openCacheFolder("offered");
  const folder = cache === undefined ? await mkdtemp(join(tmpdir(), "codemode-offered-")) : join(cache, name);
  const recordFile = cache === undefined ? undefined : `${folder}.record`;
  const known = readRecord(recordFile);
  const record = await makePackage(folder, modulesOf(server), known, emit);
  if (recordFile !== undefined && [...record].some(([id, emitted]) => known.get(id) !== emitted)) {
    writeSealed(recordFile, Buffer.from(formatEmissionRecord(record)));
  }
  if (cache !== undefined) await removeOld(cache, name);
  return folder;
}

async function makePackage(
  folder: string,
  modules: readonly LockedServer[],
  known: EmissionRecord,
  emit: typeof emitChanged,
): Promise<EmissionRecord> {
  const { record, files, kept } = findEmitted(folder, modules, known) ?? (await emit(folder, modules, known));
  try {
    await writeOutput(folder, { files: [emitPackage(modules.map(({ id }) => id)), ...files], kept });
    return record;
  } catch (error) {
    if (!(error instanceof CodemodeError) || error.code !== "OUTPUT_NOT_OURS") throw error;
    // Only its manifest is damaged: the cache is of this program alone.
    await rm(folder, { recursive: true, force: true });
    return await makePackage(folder, modules, new Map(), emit);
  }
}

function readRecord(file: string | undefined): EmissionRecord {
  return parseEmissionRecord(file === undefined ? undefined : readSealed(file)?.toString());
}

/** A host marks the one that it uses. */
async function removeOld(cache: string, used: string): Promise<void> {
  const now = new Date();
  for (const name of await readdir(cache).catch(() => [])) {
    const path = join(cache, name);
    if (name === used || name === `${used}.record`) await utimes(path, now, now).catch(() => undefined);
    else if (await isOld(path)) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isOld(path: string): Promise<boolean> {
  const written = await stat(path).catch(() => undefined);
  return written !== undefined && Date.now() - written.mtimeMs > OLD_MS;
}
