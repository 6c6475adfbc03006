import { readFileSync, type Stats } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { toStamp } from "../../runtime/files/file-stamp.ts";
import { placeInProject } from "../../runtime/files/place-in-project.ts";
import { makeFolders } from "../../runtime/files/make-folders.ts";
import { flushFiles, replaceFile, type Replacement, replaceUnflushed } from "../../runtime/files/replace-file.ts";
import { draftOf } from "../../runtime/files/drafts.ts";
import {
  type Bounds,
  NotReadable,
  readBounded,
  readBoundedSync,
  readStreamBounded,
} from "../../runtime/files/read-bounded.ts";
import { decodeMarkedText, NotUtf8 } from "../../runtime/files/decode-text.ts";
import { withoutMark } from "../../schemas/text/without-mark.ts";
import { fileInaccessible, fileTooLarge, textUndecodable } from "../../schemas/errors.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";

/** What a text is: the most bytes of it that are read, before anything searches them. */
export const TEXTS = {
  /** Configurations, files of clients, and what stands beside them, such as `.gitignore` and `package.json`. */
  settings: { limitBytes: 32 * 1024 * 1024 },
  /** Lockfiles, and what is generated from them. */
  lock: { limitBytes: 256 * 1024 * 1024 },
  /** Scripts, pinned bundles and inputs that a user gives, by a pipe too. */
  given: { limitBytes: 64 * 1024 * 1024, takesPipes: true },
  /** Recordings, of which Node holds no larger text. */
  recording: { limitBytes: 510 * 1024 * 1024, takesPipes: true },
} as const satisfies { readonly [kind: string]: Bounds };

export type TextKind = keyof typeof TEXTS;

/** Reads a text file that the user named or must have, without a byte order mark; the error names the file, and the line that is not UTF-8. */
export async function readText(file: string, kind?: TextKind): Promise<string> {
  return withoutMark(await readMarkedText(file, kind));
}

/** The same with the mark, for a file whose text is changed and written again. */
export async function readMarkedText(file: string, kind?: TextKind): Promise<string> {
  const text = await readTextIfPresent(file, kind);
  if (text === undefined) throw fileInaccessible(file, "ENOENT");
  return text;
}

/** Reads a text file with its mark, or nothing where there is none. */
export async function readTextIfPresent(file: string, kind: TextKind = "settings"): Promise<string | undefined> {
  try {
    return decodeOf(await readBounded(file, TEXTS[kind]), file);
  } catch (error) {
    return unlessAbsent(error, file);
  }
}

/** Reads a file that a user named, as it is. */
export async function readBytes(file: string, kind: TextKind): Promise<Buffer> {
  return readBounded(file, TEXTS[kind]).catch((error: unknown) => {
    throw asReadError(error, file);
  });
}

/** Reads a text file at once, without a byte order mark, or nothing where there is none. */
export function readTextSync(file: string, kind: TextKind = "settings"): string | undefined {
  try {
    return withoutMark(decodeOf(readBoundedSync(file, TEXTS[kind].limitBytes), file));
  } catch (error) {
    return unlessAbsent(error, file);
  }
}

/** All of standard input, or of another stream of bytes, as text without a byte order mark. `shown` is for the error. */
export async function readStreamText(stream: NodeJS.ReadableStream, shown: string): Promise<string> {
  const bytes = await readStreamBounded(stream, TEXTS.given.limitBytes).catch((error: unknown) => {
    throw asReadError(error, shown);
  });
  return withoutMark(decodeOf(bytes, shown));
}

function unlessAbsent(error: unknown, file: string): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw asReadError(error, file);
}

function asReadError(error: unknown, shown: string): CodemodeError {
  if (error instanceof CodemodeError) return error;
  if (!(error instanceof NotReadable)) return fileInaccessible(shown, reason(error));
  return error.limitBytes === undefined
    ? fileInaccessible(shown, error.message)
    : fileTooLarge(shown, error.limitBytes);
}

function decodeOf(bytes: Buffer, shown: string): string {
  try {
    return decodeMarkedText(bytes);
  } catch (error) {
    if (error instanceof NotUtf8) throw textUndecodable(shown, error.problem);
    throw error;
  }
}

/** A text that changes whenever the file does. */
export async function stampOf(file: string): Promise<string> {
  try {
    return toStamp(await stat(file));
  } catch {
    return "none";
  }
}

/**
 * Whether there is such a file with this text. Git for Windows may have checked it out with CRLF, which means the same in every file that
 * codemode generates. For many small files, which are read several times faster one by one.
 */
export function holdsText(file: string, text: string): boolean {
  try {
    const found = readFileSync(file, "utf8");
    return found === text || found.replaceAll("\r\n", "\n") === text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw fileInaccessible(file, reason(error));
  }
}

/** How and for which project a file is written. */
export interface Writing extends Replacement {
  /** The folder of the project: a path in it may not lead out of it by a symbolic link. */
  project: string | undefined;
  /** The most that folders which are made for it may allow; the mask of the process narrows it. */
  folderMode?: number | undefined;
}

/**
 * Replaces a file in one step, and makes its folder where there is none: a reader, a crash and a power failure find the old text or the new
 * one. A symbolic link is followed inside of the project. The file keeps its mode: an account that could not read it cannot read it now.
 *
 * @throws CodemodeError `LINK_OUTSIDE`, or `FILE_INACCESSIBLE`, which names the file
 */
export async function writeAtomically(
  file: string,
  content: string | Uint8Array,
  { project, folderMode, ...replacement }: Writing,
): Promise<void> {
  try {
    const place = placeInProject(file, project);
    const found = await statsOf(place, file);
    makeFolders(dirname(place), folderMode);
    const mode = replacement.mode ?? (found && found.mode & 0o777);
    await replaceFile(place, content, { ...replacement, mode });
  } catch (error) {
    throw asCodemodeError(error, file);
  }
}

/** What is at the place now. A device or a pipe, such as `/dev/stdout`, would be lost if a file took its place. */
async function statsOf(place: string, file: string): Promise<Stats | undefined> {
  const found = await stat(place).catch(() => undefined);
  if (found?.isDirectory() === true) throw fileInaccessible(file, "EISDIR");
  if (found?.isFile() === false) throw fileInaccessible(file, "it is a device or a pipe, not a file");
  return found;
}

/**
 * Replaces many files, each in one step, and flushes all of them. A symbolic link is replaced, not followed. Thousands of small files are
 * written several times faster one by one, and flushed several times faster together.
 */
export async function writeManyAtomically(texts: readonly (readonly [file: string, text: string])[]): Promise<void> {
  const folders = new Set<string>();
  for (const [file, text] of texts) {
    try {
      const folder = dirname(file);
      if (!folders.has(folder)) makeFolders(folder);
      folders.add(folder);
      replaceUnflushed(file, text);
    } catch (error) {
      throw asCodemodeError(error, file);
    }
  }
  const [first = ""] = texts[0] ?? [];
  await flushFiles(texts.map(([file]) => file)).catch((error: unknown) => {
    throw asCodemodeError(error, dirname(first));
  });
}

/** Throws where a file could not be written now, before any work is done for it. Leaves nothing behind but its folder. */
export async function assertWritable(file: string, project: string | undefined): Promise<void> {
  let draft: string | undefined;
  try {
    const place = placeInProject(file, project);
    await statsOf(place, file);
    makeFolders(dirname(place));
    draft = draftOf(place);
    await writeFile(draft, "");
  } catch (error) {
    throw asCodemodeError(error, file);
  } finally {
    if (draft !== undefined) await rm(draft, { force: true }).catch(() => undefined);
  }
}

function asCodemodeError(error: unknown, file: string): CodemodeError {
  return error instanceof CodemodeError ? error : fileInaccessible(file, reason(error));
}

function reason(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
