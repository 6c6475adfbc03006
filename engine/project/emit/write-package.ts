import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../../../schemas/lock/operations.ts";
import { emitPackage } from "../../../templates/generated-package.ts";
import { emitServer } from "../../../templates/emit.ts";
import { planServer } from "../../../templates/plan.ts";
import { type OutputChange, writeOutput } from "./generate-packages.ts";

/** Writes the whole package of a lockfile that has no project, into any folder. Throws a `CodemodeError` where that holds files of others. */
export async function writePackage(folder: string, lockfile: Lockfile): Promise<OutputChange> {
  const modules = [...modulesOfLockfile(lockfile)];
  const files = await Promise.all(modules.map(([, server]) => emitServer(planServer(server))));
  return writeOutput(folder, { files: [emitPackage(modules.map(([id]) => id)), ...files.flat()], kept: [] });
}
