import { stat } from "node:fs/promises";
import { clientFileRefused } from "../../schemas/errors.ts";
import type { ClientFile } from "../../engine/project/clients/client-files.ts";
import { readTextIfPresent, writeAtomically } from "../../engine/project/files.ts";
import { MergeRefusal } from "./client-entry.ts";

/**
 * Changes the text of a client's file in one step. The rest of the file, its mode, and a link to it stay; only the file of a project, which
 * came with the project, may be no link that leads out of it. Resolves to whether anything changed.
 * @throws CodemodeError `CLIENT_FILE_REFUSED` for a `MergeRefusal` of `change`
 */
export async function changeClientFile(
  { path, scope }: Pick<ClientFile, "path" | "scope">,
  folder: string,
  change: (text: string) => string,
): Promise<boolean> {
  await assertNoLoop(path);
  const text = (await readTextIfPresent(path)) ?? "";
  const changed = refuseFor(path, () => change(text));
  if (changed === text) return false;
  await writeAtomically(path, changed, { project: scope === "project" ? folder : undefined });
  return true;
}

function refuseFor(path: string, change: () => string): string {
  try {
    return change();
  } catch (error) {
    if (error instanceof MergeRefusal) throw clientFileRefused(path, error.message, error.hint);
    throw error;
  }
}

async function assertNoLoop(path: string): Promise<void> {
  const problem = await stat(path).catch((error: NodeJS.ErrnoException) => error.code);
  if (problem !== "ELOOP") return;
  throw clientFileRefused(path, "is a symbolic link to itself", "Fix the link; nothing was written.");
}
