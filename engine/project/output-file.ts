import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import { placeInProject } from "../../runtime/files/place-in-project.ts";
import { CONFIG_FILES } from "../../schemas/config/config.ts";
import { fileInaccessible, outputForeign } from "../../schemas/errors.ts";
import { assertWritable, writeAtomically, type Writing } from "./files.ts";
import { LOCKFILE_NAME } from "./lockfile-file.ts";

/** How each kind of file begins that a command writes where its user says. Formatters of others may have changed blanks. */
const BEGINNINGS = {
  "audit log": /^(?:\{[^\n]{0,6}\n)*\{"v":1,"time":/,
  journal: /^\{"journalVersion":/,
  "package statement": /^\s*\{\s*"_type"\s*:\s*"https:\/\/in-toto\.io\/Statement\//,
  "package tarball": /^[^ -~]\x8b/,
  "pinned bundle": /^\s*\{\s*"bundleVersion"\s*:/,
  recording: /^\s*\{\s*"recordingVersion"\s*:/,
  report:
    /^<!doctype html>\s*<html lang="en">\s*<head>\s*<meta charset="utf-8">\s*<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/,
} as const;

export type OutputKind = keyof typeof BEGINNINGS;

/** More than the longest beginning. */
const HEAD_BYTES = 512;

/**
 * Throws where an output would go over anything but an earlier one of its kind: another file of the user, or one of the project. Every file that a
 * user names for a command to write passes here, and what passes may be replaced and removed.
 * @throws CodemodeError `OUTPUT_NOT_OURS`, or `FILE_INACCESSIBLE`
 */
export function assertOutputKind(file: string, kind: OutputKind): void {
  const head = readHead(file);
  if (head === undefined || (head === "" && !isOfProject(file))) return;
  if (!BEGINNINGS[kind].test(head)) throw outputForeign(file, kind);
}

/** Throws where the file could not be written now, or is no output of this kind; before any work is done for it. */
export async function assertOutput(file: string, kind: OutputKind, project: string | undefined): Promise<void> {
  const place = placeInProject(file, project);
  assertOutputKind(place, kind);
  await assertWritable(file, project);
}

/** Replaces an earlier output of this kind, or writes the first one, in one step. */
export async function writeOutputFile(
  file: string,
  content: string | Uint8Array,
  { kind, ...writing }: Writing & { kind: OutputKind },
): Promise<void> {
  assertOutputKind(placeInProject(file, writing.project), kind);
  await writeAtomically(file, content, writing);
}

/** The first characters of a file; undefined where there is none. Devices and pipes are left to `writeAtomically`, which refuses them. */
function readHead(file: string): string | undefined {
  let fd: number | undefined;
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    fd = openSync(file, "r");
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString("latin1", 0, readSync(fd, bytes, 0, HEAD_BYTES, 0)).replace(/^\xef\xbb\xbf/, "");
  } catch (error) {
    throw fileInaccessible(file, (error as NodeJS.ErrnoException).code ?? String(error));
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Names that belong to a project, also where such a file is empty. */
function isOfProject(file: string): boolean {
  const name = basename(file);
  const known = [...CONFIG_FILES.map((each) => basename(each)), LOCKFILE_NAME, "package.json"];
  return known.includes(name) || /\.[cm]?[jt]sx?$/.test(name);
}
