import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

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
    return toSourceFile(file, readFileSync(file, "utf8")).digest === digest;
  } catch {
    return false;
  }
}
