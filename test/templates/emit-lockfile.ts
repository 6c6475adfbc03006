import { emitPart } from "../../engine/project/emit/emit-changed.ts";
import { byCodeUnits } from "../../schemas/json/canonical-json.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../../schemas/lock/operations.ts";
import { emitPackage, type GeneratedFile } from "../../templates/generated-package.ts";

/** All files that `codemode generate` writes for a lockfile, sorted by path. */
export async function emitLockfile(lockfile: Lockfile): Promise<GeneratedFile[]> {
  const servers = modulesOfLockfile(lockfile);
  const jobs = [...servers.values()].map((server) => ({ server, known: undefined, intact: new Set<string>() }));
  const parts = await Promise.all(jobs.map(emitPart));
  const files = [emitPackage([...servers.keys()]), ...parts.flatMap((part) => part.files)];
  return files.toSorted((left, right) => byCodeUnits(left.path, right.path));
}
