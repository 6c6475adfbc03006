import { gunzipSync } from "node:zlib";

const BLOCK = 512;

/** A package of ten thousand tools takes a tenth of it; more is no package but a bomb. */
const MAX_BYTES = 1 << 30;

/**
 * The text files of an npm tarball, by their path below the one folder at its root.
 * @throws Error where it is no tarball, cut short, or too large
 */
export function parseTarball(bytes: Uint8Array): Map<string, string> {
  const archive = gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  const files = new Map<string, string>();
  let longName: string | undefined;
  let at = 0;
  // The archive ends with an empty block.
  while (archive[at] !== 0) {
    const header = archive.subarray(at, at + BLOCK);
    const size = Number.parseInt(textAt(header, 124, 12), 8);
    const content = archive.subarray(at + BLOCK, at + BLOCK + size);
    if (header.length !== BLOCK || content.length !== size) throw new Error("the archive is cut short");
    const type = textAt(header, 156, 1);
    if (type === "x") longName = /^\d+ path=(.*)$/m.exec(content.toString("utf8"))?.[1];
    if (type === "0" || type === "") {
      const path = longName ?? [textAt(header, 345, 155), textAt(header, 0, 100)].filter(Boolean).join("/");
      files.set(path.slice(path.indexOf("/") + 1), content.toString("utf8"));
      longName = undefined;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

/** A field of a header, up to its first NUL. */
function textAt(header: Buffer, start: number, length: number): string {
  const [text = ""] = header.toString("latin1", start, start + length).split("\0");
  return text.trim();
}
