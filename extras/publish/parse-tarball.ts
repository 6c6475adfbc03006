import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";

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
