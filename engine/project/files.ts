import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileInaccessible } from "../../schemas/errors.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";

/** Reads a text file that the user named or must have; the error names the file. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw fileInaccessible(file, reason(error));
  }
}

/** Reads a text file, or nothing where there is none. */
export async function readTextIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw fileInaccessible(file, reason(error));
  }
}

/** Whether there is such a file with exactly this text. For many small files, which are read several times faster one by one. */
export function holdsText(file: string, text: string): boolean {
  try {
    return readFileSync(file, "utf8") === text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw fileInaccessible(file, reason(error));
  }
}

/** Replaces a file in one step: whoever reads it, or kills us, finds the old text or the new one, never half of it. A `mode` is for files that others may not read. */
export async function writeTextAtomically(file: string, text: string, mode?: number): Promise<void> {
  await writeAtomically(file, text, mode);
}

/** The same for a file that is no text. */
export async function writeBytesAtomically(file: string, bytes: Uint8Array): Promise<void> {
  await writeAtomically(file, bytes);
}

/** Replaces many files, each in one step. Thousands of small ones are written several times faster one by one. */
export function writeTextsAtomically(texts: readonly (readonly [file: string, text: string])[]): void {
  const folders = new Set<string>();
  for (const [file, text] of texts) {
    const draft = draftOf(file);
    try {
      const folder = dirname(file);
      if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
      folders.add(folder);
      writeFileSync(draft, text);
      renameSync(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      throw fileInaccessible(file, reason(error));
    }
  }
}

/** Throws where a file could not be written now, before any work is done for it. Leaves nothing behind but its folder. */
export async function assertWritable(file: string): Promise<void> {
  const draft = draftOf(file);
  try {
    if ((await stat(file).catch(() => undefined))?.isDirectory() === true) throw fileInaccessible(file, "EISDIR");
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, "");
  } catch (error) {
    throw error instanceof CodemodeError ? error : fileInaccessible(file, reason(error));
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

async function writeAtomically(file: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const draft = draftOf(file);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, content, mode === undefined ? {} : { mode });
    if (mode !== undefined) await chmod(draft, mode);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw fileInaccessible(file, reason(error));
  }
}

function draftOf(file: string): string {
  return `${file}.${randomBytes(6).toString("hex")}.tmp`;
}

function reason(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
