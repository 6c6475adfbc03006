import { readdir } from "node:fs/promises";
import { readBytes, unlessMissing } from "../../engine/files.ts";
import { basename, join } from "node:path";
import compare from "semver/functions/compare.js";
import compareDescending from "semver/functions/rcompare.js";
import { packageInvalid } from "./package-errors.ts";
import { readVersion } from "./read-version.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { parseLockfile } from "../../schemas/lock/lockfile-text.ts";
import { toTarballName } from "./package/package-name.ts";
import { PACKED_LOCKFILE } from "./package/print-manifest.ts";
import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";

/** A server package that was packed before. */
export interface PackedPackage {
  name: string;
  version: string;
  lock: LockedServer;
  /** The tarball itself. */
  bytes: Buffer;
  /** Its `package.json`. */
  manifest: JsonObject;
  /** All its text files, by path. */
  files: ReadonlyMap<string, string>;
}

/** Reads a tarball of `codemode pack`; its lock entry is checked like any lockfile. */
export async function readPackage(file: string): Promise<PackedPackage> {
  const fail = (problem: string): Error => packageInvalid(basename(file), problem);
  const bytes = await readBytes(file, "lock");
  let files: Map<string, string>;
  let manifest: JsonValue;
  try {
    files = await parseTarball(bytes);
    manifest = JSON.parse(files.get("package.json") ?? "null") as JsonValue;
  } catch (error) {
    throw fail(`it is not the tarball of a package: ${(error as Error).message}`);
  }
  if (!isJsonObject(manifest)) throw fail("it has no `package.json`");
  const [name, version] = [ownValue(manifest, "name"), ownValue(manifest, "version")];
  const parsed = typeof version === "string" ? readVersion(version) : undefined;
  const lockText = files.get(PACKED_LOCKFILE);
  if (typeof name !== "string" || parsed === undefined || lockText === undefined) {
    throw fail("it was not made by `codemode pack`");
  }
  const servers = [...parseLockfile(lockText, `${basename(file)}/${PACKED_LOCKFILE}`).servers.values()];
  const [lock] = servers;
  if (lock === undefined || servers.length > 1)
    throw fail(`its lockfile holds ${servers.length} servers instead of one`);
  return { name, version: parsed, lock, bytes, manifest, files };
}

/**
 * The newest tarball of a package in a folder, if there is one.
 * @param below only releases before this version
 */
export async function findNewest(folder: string, name: string, below?: string): Promise<PackedPackage | undefined> {
  const prefix = `${toTarballName(name)}-`;
  const candidates = ((await readdir(folder).catch(unlessMissing)) ?? []).flatMap((file) => {
    const version = file.startsWith(prefix) && file.endsWith(".tgz") ? file.slice(prefix.length, -".tgz".length) : "";
    const parsed = readVersion(version);
    if (parsed === undefined || (below !== undefined && compare(parsed, below) >= 0)) return [];
    return [{ file, version: parsed }];
  });
  for (const { file } of candidates.toSorted((left, right) => compareDescending(left.version, right.version))) {
    const found = await readPackage(join(folder, file));
    // `@acme/x` and `acme-x` have tarballs of the same name.
    if (found.name === name) return found;
  }
  return undefined;
}

/** A package of ten thousand tools takes a tenth of it; more is no package but a bomb. */
const MAX_BYTES = 1 << 30;

/**
 * The text files of an npm tarball, by their path below the one folder at its root.
 *
 * @param maxBytes of the archive when it is unpacked
 * @throws Error where it is no tarball, cut short, damaged or too large, and where an entry is a link or a device, has a path
 *   that leads out of the package, or comes twice
 */
export async function parseTarball(bytes: Uint8Array, maxBytes = MAX_BYTES): Promise<Map<string, string>> {
  const archive = gunzipSync(bytes, { maxOutputLength: maxBytes });
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const files = new Map<string, string>();
  for (const { header, data } of await unpackTar(archive, { strict: true })) {
    if (header.type === "directory") continue;
    const path = pathInPackage(header.name);
    if (header.type !== "file" || data === undefined) throw new Error(`${JSON.stringify(path)} is no file`);
    if (files.has(path)) throw new Error(`${JSON.stringify(path)} is there twice`);
    files.set(path, decoder.decode(data));
  }
  return files;
}

/** Without the folder at the root of the archive, whose name each program chooses for itself. */
function pathInPackage(name: string): string {
  const [root, ...parts] = name.split("/");
  const isInside = parts.length > 0 && [root, ...parts].every((part) => part !== "" && part !== "." && part !== "..");
  if (!isInside || /[\\\0]/.test(name)) throw new Error(`${JSON.stringify(name)} is no path inside of the package`);
  return parts.join("/");
}
