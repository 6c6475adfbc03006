import { gzipSync, strToU8 } from "fflate";

const BLOCK = 512;

/** The time that npm gives to every packed file (1985-10-26T08:15:00Z); some tools cannot bear 1970. */
const MODIFIED = 499_162_500;

/** A file to pack; `path` is relative to the package. */
export interface PackedFile {
  path: string;
  content: Uint8Array;
}

/**
 * The bytes of an npm tarball. The compressor is no part of Node, whose own differs between versions: the same files give the
 * same bytes on every machine.
 */
export function formatTarball(files: readonly PackedFile[]): Uint8Array {
  // `mem` would otherwise be estimated with a logarithm, which engines may round differently.
  return gzipSync(formatArchive(files), { level: 9, mem: 9, mtime: 0 });
}

/** The archive without its compression: POSIX ustar (IEEE 1003.1, pax), all files below `package/`, in the order given. */
export function formatArchive(files: readonly PackedFile[]): Uint8Array {
  const odd = files.find(({ path }) => !/^[\x21-\x7e]+$/.test(path));
  if (odd !== undefined) throw new Error(`${JSON.stringify(odd.path)} cannot be the path of a packed file.`);
  const entries = files.flatMap(({ path, content }) => formatEntry(`package/${path}`, content));
  return concat([...entries, new Uint8Array(2 * BLOCK)]);
}

function formatEntry(path: string, content: Uint8Array): Uint8Array[] {
  if (path.length <= 100) return [formatHeader(path, content.length, "0"), padded(content)];
  // A name that does not fit comes before the file, in an entry of its own.
  const record = strToU8(formatPaxRecord("path", path));
  return [
    formatHeader("package/long-name", record.length, "x"),
    padded(record),
    formatHeader(path.slice(0, 100), content.length, "0"),
    padded(content),
  ];
}

/** `LENGTH KEY=VALUE\n`, where the length counts itself. */
function formatPaxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = rest.length + String(rest.length).length;
  return `${rest.length + String(length).length}${rest}`;
}

function formatHeader(path: string, size: number, type: "0" | "x"): Uint8Array {
  const octal = (number: number, length: number): string => `${number.toString(8).padStart(length - 1, "0")}\0`;
  const fields = [
    path.padEnd(100, "\0"),
    octal(0o644, 8), // mode
    octal(0, 8), // owner
    octal(0, 8), // group
    octal(size, 12),
    octal(MODIFIED, 12),
    " ".repeat(8), // checksum, counted as spaces
    type,
    "\0".repeat(100), // target of a link
    "ustar\x0000",
    "\0".repeat(64), // names of owner and group
    octal(0, 8), // device
    octal(0, 8),
  ];
  const header = concat([strToU8(fields.join(""))], BLOCK);
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.set(strToU8(`${checksum.toString(8).padStart(6, "0")}\0 `), 148);
  return header;
}

function padded(content: Uint8Array): Uint8Array {
  return concat([content], Math.ceil(content.length / BLOCK) * BLOCK);
}

function concat(parts: readonly Uint8Array[], length = parts.reduce((sum, part) => sum + part.length, 0)): Uint8Array {
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
