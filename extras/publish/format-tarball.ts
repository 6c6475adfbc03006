import { gzipSync } from "fflate";
import { packTar } from "modern-tar";
import type { GeneratedFile } from "../../templates/generated-package.ts";

/** The time that npm gives to every packed file; some tools cannot bear 1970. */
const MODIFIED = new Date("1985-10-26T08:15:00Z");

/** A file to pack; `path` is relative to the package. */
export interface PackedFile {
  path: string;
  content: Uint8Array;
}

/** Generated files as what is packed. */
export function toPackedFiles(files: readonly GeneratedFile[]): PackedFile[] {
  return files.map(({ path, text }) => ({ path, content: Buffer.from(text) }));
}

/**
 * The bytes of an npm tarball. The compressor is no part of Node, whose own differs between versions: the same files give the
 * same bytes on every machine.
 */
export async function formatTarball(files: readonly PackedFile[]): Promise<Uint8Array> {
  // `mem` would otherwise be estimated with a logarithm, which engines may round differently.
  return gzipSync(await formatArchive(files), { level: 9, mem: 9, mtime: 0 });
}

/** The archive without its compression: POSIX ustar (IEEE 1003.1, pax), all files below `package/`, in the order given. */
export async function formatArchive(files: readonly PackedFile[]): Promise<Uint8Array> {
  const odd = files.find(({ path }) => !/^[\x21-\x7e]+$/.test(path));
  if (odd !== undefined) throw new Error(`${JSON.stringify(odd.path)} cannot be the path of a packed file.`);
  return packTar(
    files.map(({ path, content }) => ({
      header: { name: `package/${path}`, size: content.length, mode: 0o644, mtime: MODIFIED, type: "file" },
      body: content,
    })),
  );
}
