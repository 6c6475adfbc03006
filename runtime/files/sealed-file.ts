import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isOurs } from "./cache-folder.ts";
import { replaceUnflushed } from "./replace-file.ts";

const DIGEST_BYTES = 32;

/** The content of a file of `writeSealed`; undefined where there is none, it is damaged, or another user can have written it. */
export function readSealed(file: string): Buffer | undefined {
  try {
    return isOurs(file, "file") ? unseal(readFileSync(file)) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Replaces a file of a cache in one step, with a digest at its end: it is not flushed, and what a power failure damages is found by that.
 * If it fails, there is no file.
 */
export function writeSealed(file: string, content: Uint8Array): void {
  try {
    replaceUnflushed(file, Buffer.concat([content, digestOf(content)]), 0o600);
  } catch {
    // What is cached can be made again.
  }
}

function unseal(sealed: Buffer): Buffer | undefined {
  const content = sealed.subarray(0, -DIGEST_BYTES);
  return digestOf(content).equals(sealed.subarray(-DIGEST_BYTES)) ? content : undefined;
}

function digestOf(content: Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}
