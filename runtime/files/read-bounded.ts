import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { Socket } from "node:net";

/** How much of a file is read, and what it may be. */
export interface Bounds {
  /** The most bytes: of a larger file nothing is read. */
  limitBytes: number;
  /** Whether it may be a pipe or a device, as `<(command)` is in a shell; a regular file only, unless given. */
  takesPipes?: boolean | undefined;
}

/** A file that is too large, or is none. */
export class NotReadable extends Error {
  override readonly name = "NotReadable";
  /** Undefined where the file is a pipe or a device. */
  readonly limitBytes: number | undefined;

  constructor(limitBytes?: number) {
    super(limitBytes === undefined ? "it is a device or a pipe, not a file" : `it is larger than ${limitBytes} bytes`);
    this.limitBytes = limitBytes;
  }
}

/**
 * Reads a file of others, which may be of any size or kind. It is opened without waiting for a writer.
 * @throws NotReadable, or an error of the file system
 */
export async function readBounded(file: string, bounds: Bounds): Promise<Buffer> {
  const handle = await open(file, OPENING);
  try {
    const found = await handle.stat();
    assertKind(found, bounds);
    if (found.isFIFO()) return await readPipe(handle.fd, bounds);
    const parts = new Parts(bounds.limitBytes);
    for (let size = sizeOf(found); ; size = CHUNK_BYTES) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(size), 0, size, null);
      parts.add(buffer.subarray(0, bytesRead));
      if (bytesRead === 0 || parts.byteLength === found.size) return parts.join();
    }
  } finally {
    await handle.close().catch(unlessClosed);
  }
}

/** The same at once, for regular files. */
export function readBoundedSync(file: string, limitBytes: number): Buffer {
  const descriptor = openSync(file, OPENING);
  try {
    const found = fstatSync(descriptor);
    assertKind(found, { limitBytes });
    const parts = new Parts(limitBytes);
    for (let size = sizeOf(found); ; size = CHUNK_BYTES) {
      const buffer = Buffer.allocUnsafe(size);
      const bytesRead = readSync(descriptor, buffer, 0, size, null);
      parts.add(buffer.subarray(0, bytesRead));
      if (bytesRead === 0 || parts.byteLength === found.size) return parts.join();
    }
  } finally {
    closeSync(descriptor);
  }
}

/** All of a stream, as of standard input. */
export async function readStreamBounded(stream: AsyncIterable<unknown>, limitBytes: number): Promise<Buffer> {
  const parts = new Parts(limitBytes);
  for await (const chunk of stream) parts.add(Buffer.from(chunk as Buffer | string));
  return parts.join();
}

const OPENING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const CHUNK_BYTES = 64 * 1024;

/** One more than the file has, so that the end of most files shows with the first read. Devices and files of the system say no size. */
const sizeOf = ({ size }: Stats): number => (size === 0 ? CHUNK_BYTES : size + 1);

function assertKind(found: Stats, { limitBytes, takesPipes = false }: Bounds): void {
  // A read says so itself.
  if (found.isDirectory()) return;
  if (!found.isFile() && !takesPipes) throw new NotReadable();
  if (found.size > limitBytes) throw new NotReadable(limitBytes);
}

/** What was read so far; it never grows beyond the limit. */
class Parts {
  readonly #limitBytes: number;
  readonly #parts: Buffer[] = [];
  #byteLength = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get byteLength(): number {
    return this.#byteLength;
  }

  add(part: Buffer): void {
    this.#byteLength += part.byteLength;
    if (this.#byteLength > this.#limitBytes) throw new NotReadable(this.#limitBytes);
    this.#parts.push(part);
  }

  join(): Buffer {
    const [first] = this.#parts;
    return first !== undefined && this.#parts.length === 1 ? first : Buffer.concat(this.#parts, this.#byteLength);
  }
}

/** As a stream: a read of it would wait in a thread that nothing can end. */
async function readPipe(fd: number, { limitBytes }: Bounds): Promise<Buffer> {
  const pipe = new Socket({ fd, readable: true, writable: false });
  try {
    return await readStreamBounded(pipe, limitBytes);
  } finally {
    pipe.destroy();
  }
}

/** A socket has closed its descriptor. */
function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EBADF") throw error;
}
