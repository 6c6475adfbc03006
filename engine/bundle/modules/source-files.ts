import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { decodeFile, NotUtf8 } from "../../../runtime/files/decode-text.ts";
import { readProvingStamp } from "../../../runtime/files/file-stamp.ts";
import { NotReadable, readBoundedSync } from "../../../runtime/files/read-bounded.ts";

/** A file that went into a bundle. */
export interface SourceFile {
  /** Its absolute path. */
  file: string;
  digest: string;
}

/** The file with the digest of the text that was read from it. */
export function toSourceFile(file: string, text: string): SourceFile {
  return { file, digest: createHash("sha256").update(text).digest("base64") };
}

/** Whether the file still has the text that it had. */
export function isUnchanged({ file, digest }: SourceFile): boolean {
  try {
    return readSource(file).source.digest === digest;
  } catch {
    return false;
  }
}

/** Where a file really is, or why it may not be read. */
export type FoundFile =
  | { ok: true; file: string; /** real path below the folder, with forward slashes */ relativePath: string }
  | { ok: false; reason: "missing" | "outside" }
  | { ok: false; reason: "unreadable"; /** what the system says, such as `EACCES` */ problem: string };

/**
 * Finds a regular file below `folder`, with all symbolic links resolved.
 * A file that is really elsewhere is `outside`, whether or not it exists.
 */
export function findInside(folder: string, relativePath: string): FoundFile {
  try {
    const root = realPath(folder);
    const wanted = join(root, relativePath);
    if (!isBelow(root, wanted)) return { ok: false, reason: "outside" };
    const file = realPath(wanted);
    if (file !== wanted && !isBelow(root, file)) return { ok: false, reason: "outside" };
    if (!statSync(file).isFile()) return { ok: false, reason: "missing" };
    return { ok: true, file, relativePath: relative(root, file).replaceAll(sep, "/") };
  } catch (error) {
    return isAbsent(error)
      ? { ok: false, reason: "missing" }
      : { ok: false, reason: "unreadable", problem: describeUnreadable(error) };
  }
}

/** Drives in memory and some virtual ones do not know the system's own function (Windows); Node's follows links step by step. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (isAbsent(error)) throw error;
    return realpathSync(path);
  }
}

/** Whether an error says that there is no such file, or that no file has such a name. */
export function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ERR_INVALID_ARG_VALUE"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** Why a file cannot be read, in a word or two: an error of the file system, or a text that is none. */
export function describeUnreadable(error: unknown): string {
  if (error instanceof NotUtf8) return error.problem;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined && !(error instanceof NotReadable)) throw error;
  return code ?? (error as Error).message;
}

function isBelow(root: string, path: string): boolean {
  const steps = relative(root, path).split(sep);
  return steps[0] !== ".." && steps[0] !== "" && join(root, ...steps) === path;
}

/** A text with the file that it was read from. */
export interface ReadSource {
  text: string;
  source: SourceFile;
}

/** Texts of some thousand tools; above it all are forgotten. */
const MAX_HELD_CHARACTERS = 16 * 1024 * 1024;

const held = new Map<string, ReadSource & { stamp: string }>();
let heldCharacters = 0;

/** Reads a text as `readModuleText` does. Each script reads the same files, so a file whose stamp proves its text is read and digested once. */
export function readSource(file: string, limitBytes?: number): ReadSource {
  const stamp = readProvingStamp(file);
  const known = held.get(file);
  if (known !== undefined && known.stamp === stamp) return known;
  const text = readModuleText(file, limitBytes);
  const read = { text, source: toSourceFile(file, text) };
  if (stamp !== undefined) hold({ ...read, stamp });
  return read;
}

function hold(read: ReadSource & { stamp: string }): void {
  const { file } = read.source;
  heldCharacters += read.text.length - (held.get(file)?.text.length ?? 0);
  if (heldCharacters > MAX_HELD_CHARACTERS) {
    held.clear();
    heldCharacters = read.text.length;
  }
  held.set(file, read);
}

/** Of a module: a larger one is data. */
const MAX_MODULE_BYTES = 16 * 1024 * 1024;

/** Reads a module's text, without a byte order mark. Throws `NotUtf8`, `NotReadable`, or an error of the file system. */
export function readModuleText(file: string, limitBytes = MAX_MODULE_BYTES): string {
  return decodeFile(readBoundedSync(file, limitBytes));
}
