import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { decodeText } from "../../../runtime/files/decode-text.ts";

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
    return toSourceFile(file, readModuleText(file)).digest === digest;
  } catch {
    return false;
  }
}

/** Where a file really is, or why it may not be read. */
export type FoundFile =
  | { ok: true; file: string; /** real path below the folder, with forward slashes */ relativePath: string }
  | { ok: false; reason: "missing" | "outside" };

/**
 * Finds a regular file below `folder`, with all symbolic links resolved.
 * A file that is really elsewhere is `outside`, whether or not it exists.
 */
export function findInside(folder: string, relativePath: string): FoundFile {
  try {
    const root = realpathSync.native(folder);
    const wanted = join(root, relativePath);
    if (!isBelow(root, wanted)) return { ok: false, reason: "outside" };
    const file = realpathSync.native(wanted);
    if (!isBelow(root, file)) return { ok: false, reason: "outside" };
    if (!statSync(file).isFile()) return { ok: false, reason: "missing" };
    return { ok: true, file, relativePath: relative(root, file).replaceAll(sep, "/") };
  } catch {
    return { ok: false, reason: "missing" };
  }
}

function isBelow(root: string, path: string): boolean {
  const steps = relative(root, path).split(sep);
  return steps[0] !== ".." && steps[0] !== "" && join(root, ...steps) === path;
}

/** Reads a module's text, without a byte order mark. Throws `NotUtf8`. */
export function readModuleText(file: string): string {
  return decodeText(readFileSync(file));
}
