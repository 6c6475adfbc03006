import { rm, stat } from "node:fs/promises";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { readBytes, writeAtomically } from "./files.ts";

/** A file as it was. */
interface Former {
  file: string;
  bytes: Buffer | undefined;
  /** Of a file that is written again: a backup is for this account alone. */
  mode?: number;
}

/**
 * Writes several files, each of which means little without the others: where that fails, each is as it was before. Folders that were made stay.
 * @param project as for `writeAtomically`
 * @throws what `write` throws; its hint names the files that could not be taken back
 */
export async function asOneStep<Value>(
  files: readonly string[],
  project: string | undefined,
  write: () => Promise<Value>,
): Promise<Value> {
  const formers = await Promise.all(files.map(readFormer));
  try {
    return await write();
  } catch (error) {
    const left: string[] = [];
    for (const former of formers) if (!(await takeBack(former, project))) left.push(former.file);
    throw left.length === 0 ? error : withLeft(error, left);
  }
}

async function readFormer(file: string): Promise<Former> {
  const bytes = await readBytes(file, "lock").catch(unlessAbsent);
  return bytes === undefined ? { file, bytes } : { file, bytes, mode: (await stat(file)).mode & 0o777 };
}

function unlessAbsent(error: unknown): undefined {
  if (!(error instanceof CodemodeError) || !error.message.endsWith(": ENOENT")) throw error;
}

/** Whether the file is as it was. */
async function takeBack({ file, bytes, mode }: Former, project: string | undefined): Promise<boolean> {
  try {
    const now = await readBytes(file, "lock").catch(unlessAbsent);
    if (now === undefined || bytes === undefined ? now === bytes : now.equals(bytes)) return true;
    if (bytes === undefined) await rm(file, { force: true });
    else await writeAtomically(file, bytes, { project, mode });
    return true;
  } catch {
    // The first failure is reported; this one follows from it most often.
    return false;
  }
}

function withLeft(error: unknown, left: readonly string[]): unknown {
  if (!(error instanceof CodemodeError)) return error;
  const { code, exitCode, message, hint } = error;
  return new CodemodeError(code, exitCode, message, `${hint} Already changed: ${left.join(", ")}.`);
}
